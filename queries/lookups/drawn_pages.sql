-- question: Which pages of a solution does a check examine, when there are too many classes?
-- grain: one ply with the pages drawn, and their rows; none when all are examined
-- needs: solution
-- parameters: most, seed, pages
with
plies as (
    select
        ply,
        (count(*) * offsets)::bigint as rows_of_ply,
    from blocks
    join ply_shapes using (ply)
    where (select sum(classes) from splits) > ?
    group by ply, offsets
),

-- A page is a row group of a file, 2^17 rows.
pages as (
    select
        ply,
        rows_of_ply,
        unnest(range((rows_of_ply + (1 << 17) - 1) >> 17)) as page,
    from plies
),

drawn as (
    select *
    from pages
    qualify row_number() over (partition by ply order by hash(ply, page, ?), page) <= ?
)

select
    ply,
    list(page order by page) as pages,
    sum(least(1 << 17, rows_of_ply - (page << 17)))::bigint as rows_drawn,
from drawn
group by ply
order by ply
