-- question: Is each class shown by the smallest of its rows, and reached by a move?
-- grain: one class that another row shows, or that no move of a class before it leads to
-- examines: solution_files
-- for each: ply
-- sampled by: key
with
reached as (
    select distinct neighbours.key
    from solution_neighbours as neighbours
    join solution_files as parents
        on parents.ply = getvariable('ply') - 1
        and parents.key = new_key
        and abs(parents.value) < 64
    where
        neighbours.ply = getvariable('ply')
        and step = -1
        and neighbours.key >= coalesce(getvariable('first_key'), 0)
        and neighbours.key <= coalesce(getvariable('last_key'), 1::bigint << 62)
),

final as (
    select
        ply,
        key,
        value,
        is_smallest,
        reached.key is not null as is_reached,
    from solution_marks
    left join reached using (key)
    where
        ply = getvariable('ply')
        and solution_marks.key >= coalesce(getvariable('first_key'), 0)
        and solution_marks.key <= coalesce(getvariable('last_key'), 1::bigint << 62)
        and (is_smallest, is_reached) is distinct from (true, ply > 0)
)

from final
order by key
