-- question: Which AIs are there?
-- grain: one AI
select
    ai,
    family,
    rule,
    parameters,
from ais
order by ai
