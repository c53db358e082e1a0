-- question: What do the tables say of this class, and which boards are its members?
-- grain: the class, or no row when there is none with this number
-- needs: positions, classes
-- parameters: class
select
    classes.*,
    list(positions.board order by positions.position) as boards,
from classes
join positions using (class)
where class = ?
group by all
