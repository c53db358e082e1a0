-- question: Does the number of only moves follow from the moves, ply by ply?
-- grain: one class whose mover has to find more or fewer of them
-- examines: splits
with recursive
best_moves as (
    select
        position,
        child,
        (count(*) over of_position = 1 and legal > 1)::int as is_only,
    from (select *, count(*) over (partition by position) as legal from moves)
    where is_best
    window of_position as (partition by position)
),

-- What each side has to find, from the last ply to the first.
need as (
    select
        position,
        ply,
        0 as of_circle,
        0 as of_cross,
    from positions
    where ply = (select max(ply) from positions)

    union all

    select
        positions.position,
        positions.ply,
        coalesce(
            case
                when positions.ply % 2 = 0 then max(is_only) + min(need.of_circle)
                else max(need.of_circle)
            end, 0
        ) as of_circle,
        coalesce(
            case
                when positions.ply % 2 = 1 then max(is_only) + min(need.of_cross)
                else max(need.of_cross)
            end, 0
        ) as of_cross,
    from (select max(ply) - 1 as ply from need) as last
    join positions using (ply)
    left join best_moves using (position)
    left join need on need.position = child
    group by positions.position, positions.ply
),

final as (
    select
        class,
        splits.board,
        only_moves,
        case when need.ply % 2 = 0 then of_circle else of_cross end as expected,
    from splits
    left join classes using (class)
    left join need on need.position = classes.position
    where only_moves is distinct from expected
)

from final
order by class
