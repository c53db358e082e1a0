-- question: How much of each quantity does the solution have?
-- grain: one quantity at a ply or, where that is null, in all
select
    quantity,
    ply,
    count::hugeint as count,
from quantities('solution_tally')
order by all
