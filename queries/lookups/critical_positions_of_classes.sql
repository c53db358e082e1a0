-- question: Which positions represent the critical classes?
-- grain: one critical class
-- needs: classes
select position
from classes
where critical
order by position
