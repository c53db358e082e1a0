-- question: Which unfinished classes of the solved game does this seed draw?
-- grain: one class drawn
-- needs: solution
-- parameters: seed, size
select
    ply,
    key,
from game, solution_files
where abs(value) < 64 and ply < cells
order by hash(ply, key, ?), ply, key
limit ?
