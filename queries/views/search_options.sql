-- grain: one search with its options, as in its first row; to_the_end: it guesses no value
create or replace view search_options as
select distinct on (search)
    * exclude (position, score, nodes),
    evaluation is null and algorithm <> 'monte_carlo' as to_the_end,
from searches
order by search, position;
