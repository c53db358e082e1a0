-- question: Where do the moves of this position lead, and what does each of them lose?
-- grain: one legal move, best first
-- needs: positions, moves
-- parameters: position
select
    moves.move,
    after.board as board_after,
    moves.score,
    moves.score_sv,
    after.distance,
    moves.loss,
    moves.is_best,
    moves.is_best_sv,
from moves
join positions as before on moves.position = before.position
join positions as after on moves.child = after.position
where moves.position = ?
order by
    moves.loss,
    moves.is_best_sv desc,
    -- The mover wants a quick win or a late loss.
    abs(moves.score_sv) * moves.score * case before.turn when 'circle' then 1 else -1 end desc,
    moves.move
