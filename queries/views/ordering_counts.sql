-- grain: one alpha-beta search with one seed, from the empty board or summed over critical classes
create or replace view ordering_counts as
select
    unnest(case
        when searches.position = 0 and critical then ['empty board', 'critical classes']
        when searches.position = 0 then ['empty board']
        else ['critical classes']
    end) as scope,
    search,
    any_value(ordering) as ordering,
    any_value(order_all) as order_all,
    any_value(shortest_victory) as shortest_victory,
    any_value(init_window) as init_window,
    any_value(use_table) as use_table,
    any_value(seed) as seed,
    any_value(seed) is not null as is_random,
    sum(searches.nodes) as nodes,
from searches
join positions using (position)
where algorithm = 'alphabeta' and (searches.position = 0 or critical)
group by scope, search;
