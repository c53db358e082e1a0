-- question: Which searches have a trace, and how many events does it hold?
-- grain: one traced search with its options; all of them start from the empty board
with
counted as (
    select
        search,
        count(*) as events,
        count(*) filter (kind = 'enter') as entered,
    from search_trace
    group by search
)

select
    searches.* exclude (position, score, nodes),
    events,
    entered,
from counted
join searches using (search)
where searches.position = 0  -- the empty board
order by search
