-- grain: one search with its options, as they stand in its first row
create or replace view search_options as
select distinct on (search)
    * exclude (position, score, nodes),
from searches
order by search, position;
