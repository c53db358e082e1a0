-- question: Which AIs are there?
-- grain: one AI
-- needs: ais
select
    ai,
    family,
    rule,
    parameters,
from ais
order by ai
