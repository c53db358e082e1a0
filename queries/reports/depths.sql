-- question: How many nodes does a search of limited depth visit, and which score does it find?
-- grain: one evaluation and depth, with or without a table
with
final as (
    select
        evaluation,
        use_table,
        max_depth,
        any_value(searches.nodes) filter (searches.position = 0) as nodes,
        any_value(searches.score) filter (searches.position = 0) as score,
        coalesce(sum(searches.nodes) filter (positions.critical), 0) as nodes_critical_classes,
    from searches
    join positions using (position)
    where algorithm = 'depth_limited'
    group by evaluation, use_table, max_depth
)

from final
order by evaluation, use_table, max_depth
