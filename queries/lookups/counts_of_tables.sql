-- question: How much of each quantity do the tables have?
-- grain: one quantity at a ply or, where that is null, in all
select
    quantity,
    ply,
    count::hugeint as count,
from table_quantities
order by all
