-- question: Do perfect AIs and searches to the end give each move its true value?
-- grain: one AI and move with another value
-- examines: ai_moves
with
worth as (
    select
        moves.position,
        moves.move,
        case before.turn when 'circle' then 1 else -1 end as sign,
        after.score * sign as score_mover,
        after.score_sv * sign as score_sv_mover,
        after.score_svrd * sign as score_svrd_mover,
    from moves
    join positions as before on moves.position = before.position
    join positions as after on moves.child = after.position
),

exact as (
    select
        ai,
        case ai
            when 'perfect_sv' then 'score_sv'
            when 'perfect_svrd' then 'score_svrd'
            else 'score'
        end as value,
    from ais
    where
        family = 'table'
        or family = 'search'
        and parameters->>'evaluation' is null
        and parameters->>'playouts' is null
),

expected as (
    select
        exact.ai,
        worth.position,
        worth.move,
        case value
            when 'score_sv' then worth.score_sv_mover
            when 'score_svrd' then worth.score_svrd_mover
            else worth.score_mover
        end as ai_score,
    from exact, worth
),

final as (
    select
        expected.ai,
        board,
        expected.move,
        expected.ai_score as expected,
        ai_moves.ai_score as got,
    from expected
    join positions using (position)
    left join ai_moves using (ai, position, move)
    where expected.ai_score is distinct from ai_moves.ai_score
)

from final
order by ai, board, move
