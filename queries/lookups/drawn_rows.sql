-- question: Which rows of a solution does a check examine, when there are too many classes?
-- grain: one ply with its first and its last row drawn and their blocks; none when all are examined
-- parameters: rows, most, seed
with
counted_plies as (
    select
        ply,
        offsets,
        (count(*) * offsets)::bigint as rows_of_ply,
        least(rows_of_ply, ?) as rows_drawn,
    from blocks
    join ply_shapes using (ply)
    where (select sum(classes) from value_counts) > ?
    group by ply, offsets
)

-- Neighbours, because few blocks are in few files, and lead to few.
select
    ply,
    rows_of_ply,
    rows_drawn as rows_examined,
    (hash(ply, ?) % (rows_of_ply - rows_drawn + 1)::ubigint)::bigint as first_key,
    first_key + rows_drawn - 1 as last_key,
    (first_key // offsets)::bigint as first_block,
    (last_key // offsets)::bigint as last_block,
from counted_plies
order by ply
