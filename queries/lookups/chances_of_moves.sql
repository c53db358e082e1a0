-- question: With which chance does each AI choose each move?
-- grain: one AI and legal move, AI by AI in the order of the table of moves
select
    probability,
from ai_moves
order by ai, position, move
