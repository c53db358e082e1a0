-- question: Are the moves exactly the legal ones, and does each lead to the right board?
-- grain: one position and cell whose move is missing, doubled, illegal or leads to a wrong board
-- examines: moves
with
open_cells as (
    select
        position,
        cell as move,
        circles + case when turn = 'circle' then bit else 0 end as circle_after,
        crosses + case when turn = 'cross' then bit else 0 end as cross_after,
    from positions, cells
    where
        status = 'playing'
        and (circles | crosses) & bit = 0
        and case
            when ply = 0 then is_open_at_first
            else list_bool_or(list_transform(
                supports, lambda mask: (circles | crosses) & mask = mask
            ))
        end
),

made as (
    select
        moves.position,
        moves.move,
        after.circles as circle_after,
        after.crosses as cross_after,
        count(*) over (partition by moves.position, moves.move) as times,
    from moves
    left join positions as after on moves.child = after.position
),

final as (
    select
        position,
        board,
        move,
        open_cells.position is not null as legal,
        coalesce(made.times, 0) as times_stored,
    from open_cells
    full join made using (position, move)
    left join positions using (position)
    where
        (open_cells.position, open_cells.circle_after, open_cells.cross_after, 1)
        is distinct from
        (made.position, made.circle_after, made.cross_after, times)
)

from final
order by position, move
