-- question: How many classes of the solved game are not finished?
-- grain: the count
select coalesce(sum(classes), 0)::bigint as classes
from value_counts
where distance > 0
