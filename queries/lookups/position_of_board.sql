-- question: What do the tables say of the position on this board?
-- grain: the position, or no row when play cannot reach it
-- needs: positions, classes
-- parameters: board
select
    positions.*,
    representative.board as representative,
    classes.orbit,
from positions
join classes using (class)
join positions as representative on classes.position = representative.position
where positions.board = ?
