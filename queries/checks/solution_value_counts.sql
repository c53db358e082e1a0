-- question: Does value_counts count the classes and positions of each value?
-- grain: one score and distance of a ply with other classes or positions than counted
-- examines: value_counts
-- for each: ply
-- sampled by: ply
with
counted as (
    select value, count(*) as classes
    from solution_files
    where ply = getvariable('ply') and value is not null
    group by value
),

-- Most classes have as many members as there are symmetries.
fewer as (
    select value, sum(symmetries - orbit) as fewer
    from solution_marks, index_form
    where ply = getvariable('ply') and is_in_symmetric_block
    group by value
),

derived as (
    select
        sign(value)::tinyint as score_mover,
        (case when value = 0 then cells - getvariable('ply') else 64 - abs(value) end)::tinyint
            as distance,
        classes,
        (classes * symmetries - coalesce(fewer, 0))::bigint as positions,
    from index_form, counted
    left join fewer using (value)
),

value_counts_here as (
    select
        score_mover,
        distance,
        count(*) as lines,
        any_value(classes) as classes,
        any_value(positions) as positions,
    from value_counts
    where ply = getvariable('ply')
    group by score_mover, distance
),

final as (
    select
        getvariable('ply') as ply,
        score_mover,
        distance,
        value_counts_here.classes,
        derived.classes as derived_classes,
        value_counts_here.positions,
        derived.positions as derived_positions,
        lines,
    from value_counts_here
    full join derived using (score_mover, distance)
    where
        (value_counts_here.classes, value_counts_here.positions, lines)
        is distinct from
        (derived.classes, derived.positions, 1)
)

from final
order by all
