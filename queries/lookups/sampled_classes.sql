-- question: Which unfinished classes of the solved game does this seed draw?
-- grain: one class drawn, as the files have it
-- needs: solution
-- parameters: seed, size
select *
from solution_files
where distance > 0
order by hash(key, ?), key
limit ?
