-- question: Do perfect play and searches to the end value every move as it is worth?
-- grain: one AI and move where the value is another one
-- needs: ais, ai_moves
-- examines: ai_moves
with
worth as (
    select
        moves.position,
        moves.move,
        case before.turn when 'circle' then 1 else -1 end as side,
        after.score * side as score,
        after.score_sv * side as score_sv,
        after.score_svrd * side as score_svrd,
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
        or ai in ('minimax', 'alphabeta', 'scout', 'mtdf', 'nullwindow')
),

expected as (
    select
        exact.ai,
        worth.position,
        worth.move,
        case value
            when 'score_sv' then worth.score_sv
            when 'score_svrd' then worth.score_svrd
            else worth.score
        end as score,
    from exact, worth
),

final as (
    select
        expected.ai,
        board,
        expected.move,
        expected.score as expected,
        ai_moves.score as got,
    from expected
    join positions using (position)
    left join ai_moves using (ai, position, move)
    where expected.score is distinct from ai_moves.score
)

from final
order by ai, board, move
