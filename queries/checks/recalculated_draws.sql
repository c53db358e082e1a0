-- question: Does score_svrd equal score_sv, except for draws that the last mover can still win?
-- grain: one position with a wrong score_svrd
-- examines: positions
with recursive
-- Walk up from the wins to the positions from which circle or cross can still win.
sees as (
    select
        position,
        status as winner,
    from positions
    where status in ('circle', 'cross')

    union

    select
        moves.position,
        sees.winner,
    from sees
    join moves on sees.position = moves.child
),

seen as (
    select
        positions.position,
        positions.board,
        positions.ply,
        positions.score_sv,
        positions.score_svrd,
        coalesce(bool_or(winner = 'circle'), false) as circle_can_win,
        coalesce(bool_or(winner = 'cross'), false) as cross_can_win,
    from positions
    left join sees using (position)
    group by all
),

derived as (
    select
        *,
        case
            when score_sv <> 0 then score_sv
            when ply % 2 = 1 and circle_can_win then 0.5
            when ply % 2 = 0 and cross_can_win then -0.5
            else 0
        end as derived_score_svrd,
    from seen
),

final as (
    from derived
    where score_svrd is distinct from derived_score_svrd
)

from final
order by position
