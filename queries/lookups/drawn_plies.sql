-- question: Which plies of a solution does a check examine, when there are too many rows?
-- grain: one ply with the rows of its value_counts, and how many of them are examined
-- parameters: most
with
rows_of_plies as (
    select
        ply,
        (count(*) * any_value(offsets))::bigint as rows_in_files,
    from blocks
    join ply_shapes using (ply)
    group by ply
),

-- The smallest plies first; and no ply of value_counts is left out because it has no blocks.
summed as (
    select
        ply,
        sum(rows_in_files) over (order by rows_in_files, ply) <= ? as is_drawn,
    from rows_of_plies
)

select
    ply,
    count(*) as rows_of_ply,
    count(*) filter (is_drawn is not false) as rows_examined,
from value_counts
left join summed using (ply)
group by ply
order by ply
