-- grain: one blunder: a move that an AI may choose in a position and that is not a best move
create or replace view blunders as
select
    ai_moves.ai,
    ai_moves.position,
    ai_moves.move,
    ai_moves.probability,
    moves.child,
    moves.loss,
from ai_moves
join moves using (position, move)
where is_candidate and not is_best;
