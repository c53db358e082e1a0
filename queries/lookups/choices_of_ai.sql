-- question: Which moves may this AI choose, with which chance, and what does it think of each?
-- grain: one legal move, in the order of the table of moves
-- parameters: ai
select
    is_candidate,
    ai_score,
    probability,
from ai_moves
where ai = ?
order by position, move
