-- question: Which parts of a solution hold some blocks of a ply, and the blocks a move from them?
-- grain: one part with its place
-- parameters: ply, first_block, last_block
with
placed_parts as (
    select
        unnest(getvariable('parts')) as part,
        unnest(getvariable('places'), max_depth := 2),
),

wanted as (
    select distinct
        unnest([ply, ply + step]) as ply,
        unnest([block, new_block]) as block,
    from block_neighbours
    where ply = ? and block between ? and ?
),

drawn as (
    select distinct
        part,
        ply,
        first_key,
        rows,
    from placed_parts
    join wanted using (ply)
    join ply_shapes using (ply)
    where first_key < (block + 1) * offsets and first_key + rows > block * offsets
)

-- DuckDB expects of every file the rows of the first one.
select
    part,
    struct_pack(
        file_index := row_number() over (order by rows desc, part) - 1,
        ply := ply,
        first_key := first_key,
        rows := rows
    ) as place,
from drawn
order by rows desc, part
