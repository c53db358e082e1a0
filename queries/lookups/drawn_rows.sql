-- question: Which rows of a solution does a check examine, when there are too many classes?
-- grain: one ply with its first and its last row drawn; none when all are examined
-- needs: solution
-- parameters: rows, most, seed
with
plies as (
    select
        ply,
        (count(*) * offsets)::bigint as rows_of_ply,
        least(rows_of_ply, ?) as rows_drawn,
    from blocks
    join ply_shapes using (ply)
    where (select sum(classes) from value_counts) > ?
    group by ply, offsets
)

-- Neighbours, because DuckDB leaves out other rows early only where keys are compared.
select
    ply,
    (hash(ply, ?) % (rows_of_ply - rows_drawn + 1)::ubigint)::bigint as first_key,
    first_key + rows_drawn - 1 as last_key,
from plies
order by ply
