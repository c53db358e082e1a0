-- question: How many classes of the solved game are not finished?
-- grain: the count
-- needs: solution
select count(*) as classes
from solution_files
where distance > 0
