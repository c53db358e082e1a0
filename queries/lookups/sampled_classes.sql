-- question: Which unfinished classes of the solved game does this seed draw?
-- grain: one class drawn
-- needs: solution
-- parameters: seed, size
select
    ply,
    key,
from solution_files
where distance > 0
order by hash(key, ?), key
limit ?
