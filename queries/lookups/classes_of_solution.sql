-- question: How many classes have a value in the solution?
-- grain: one row for the game
select sum(classes)::bigint as classes
from value_counts
