-- question: Does the value of each class follow from the classes that its moves lead to?
-- grain: one class with a wrong value, or with no move to it
-- needs: solution
-- examines: solution_files
-- for each: ply
with
-- A greater value is better: a win in n plies is 64 - n, a loss in n plies is n - 64.
moves as (
    select
        key,
        case
            when abs(score_mover) = 1 and distance between 0 and cells - ply
                then score_mover * (64 - distance)
            when score_mover = 0 and distance = cells - ply then 0
        end as value,
        64 * result as value_at_end,
        child,
    from solution_children
    where ply = getvariable('ply')
),

-- The values of the classes of the next ply, from the view of the side that moved there.
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
        max(coalesce(value_at_end, after.value, 100)) as derived_value,  -- 100: it is missing
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
