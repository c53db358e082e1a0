-- question: What does each move of the solved game lose?
-- grain: one legal move in one class
-- needs: solution
select
    ply,
    key,
    move,
    loss,
from solution_moves
order by ply, key, move
