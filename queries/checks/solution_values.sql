-- question: Does the value of each class follow from the classes that its moves lead to?
-- grain: one class with a wrong value, or with a move that leads to no class
-- examines: solution_files
-- for each: ply
-- sampled by: key
with
-- A greater value is better: a win in n plies is 64 - n, a loss in n plies is n - 64.
sided as (
    select
        key,
        value,
        ply = cells as is_full,
        misere,
        lines,
        case when ply % 2 = 0 then crosses else circles end as waiting,
    from solution_marks, index_form
    where
        ply = getvariable('ply')
        and key >= coalesce(getvariable('first_key'), 0)
        and key <= coalesce(getvariable('last_key'), 1::bigint << 62)
),

judged as (
    select
        key,
        value,
        case
            when len(list_filter(lines, lambda line: waiting & line = line)) > 0
                then case when misere then 64 else -64 end
            when is_full then 0
        end as value_at_end,
        abs(value) = 64 or is_full as is_end,
    from sided
),

ends as (
    select
        key,
        value,
        value_at_end as derived_value,
    from judged
    where is_end or value_at_end is not null
),

followed as (
    select
        neighbours.key,
        any_value(neighbours.value) as value,
        -- One ply later for the other side; 100 is no value.
        max(coalesce(sign(children.value) - children.value, 100)) as derived_value,
    from solution_neighbours as neighbours
    left join (from solution_files where value is not null) as children
        on children.ply = getvariable('ply') + 1 and children.key = new_key
    where
        neighbours.ply = getvariable('ply')
        and step = 1
        and abs(neighbours.value) < 64
        and neighbours.key >= coalesce(getvariable('first_key'), 0)
        and neighbours.key <= coalesce(getvariable('last_key'), 1::bigint << 62)
    group by neighbours.key
),

final as (
    select
        getvariable('ply') as ply,
        *
    from (from ends union all from followed)
    where value is distinct from derived_value
)

from final
order by key
