-- question: How many nodes does each algorithm visit, without an ordering and with the best one?
-- grain: one algorithm with one ordering, plain scores, full root window
with
final as (
    select
        algorithm,
        ordering,
        order_all,
        evaluation,
        use_table,
        any_value(searches.nodes) filter (searches.position = 0) as nodes,
        coalesce(sum(searches.nodes) filter (positions.critical), 0) as nodes_critical_classes,
        sum(searches.nodes) as nodes_all_classes,
    from searches
    join positions using (position)
    where
        not shortest_victory
        and not init_window
        and max_depth is null
        and (seed is null or algorithm = 'monte_carlo' and seed = 0)
    group by algorithm, ordering, order_all, evaluation, use_table
)

from final
order by algorithm, ordering nulls first, order_all, evaluation nulls first, use_table
