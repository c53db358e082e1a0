-- question: Which parts of a solution hold some blocks of a ply, and the blocks a move from them?
-- grain: one part with its place
-- parameters: ply, first_block, last_block
with
places as (select unnest(getvariable('places'), max_depth := 2)),

wanted as (
    select distinct
        unnest([ply, ply + step]) as ply,
        unnest([block, new_block]) as block,
    from block_neighbours
    where ply = ? and block between ? and ?
)

select distinct
    file_index,
    ply,
    first_key,
    rows,
from places
join wanted using (ply)
join ply_shapes using (ply)
where first_key < (block + 1) * offsets and first_key + rows > block * offsets
