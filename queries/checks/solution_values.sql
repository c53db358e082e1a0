-- question: Does the value of every class follow from the classes that its moves lead to?
-- grain: one class whose value does not follow, or that no move leads to
-- needs: solution
-- examines: solution_files
-- for each: ply
with
-- The greater a value, the better: to win in n plies is 64 - n, to lose in n plies n - 64.
moves as (
    select
        key,
        case
            when abs(score_mover) = 1 and distance between 0 and cells - ply then score_mover * (64 - distance)
            when score_mover = 0 and distance = cells - ply then 0
        end as value,
        64 * result as value_at_end,
        child,
    from solution_children
    where ply = getvariable('ply')
),

-- What the classes of the next ply are worth for who moved there.
after as (
    select
        key,
        case
            when score_mover <> 0 then -score_mover * (63 - distance)
            else 0
        end as value,
    from solution_files
    where ply = getvariable('ply') + 1
),

derived as (
    select
        coalesce(moves.key, after.key) as key,
        any_value(moves.value) as value,
        max(coalesce(value_at_end, after.value, 100)) as derived_value,  -- 100: it is not there
    from moves
    full join after on moves.child = after.key
    group by all
),

final as (
    select
        getvariable('ply') as ply,
        *
    from derived
    where value is distinct from derived_value
)

from final
order by key
