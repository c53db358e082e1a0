-- question: How many moves does the table have before those of this position?
-- grain: the count
-- needs: moves
-- parameters: position
select count(*)::int as moves
from moves
where position < ?
