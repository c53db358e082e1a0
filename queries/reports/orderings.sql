-- question: How many nodes does alpha-beta visit with each ordering, here and as published?
-- grain: one ordering with one set of options in one scope; where moves are drawn, over all seeds
with
counted as (
    select
        scope,
        ordering,
        order_all,
        shortest_victory,
        init_window,
        use_table,
        is_random,
        count(*) as runs,
        min(nodes) as least,
        median(nodes)::int as nodes,
        max(nodes) as greatest,
        avg(nodes) as mean,
        coalesce(stddev_samp(nodes), 0) as deviation,
    from ordering_counts
    group by all
),

compared as (
    select
        counted.*,
        published_nodes.nodes as published,
        published_nodes.note,
    from counted
    cross join game
    left join published_nodes
        on notation = '3x3k3'
        and counted.scope = published_nodes.scope
        and counted.ordering is not distinct from published_nodes.ordering
        and counted.order_all = published_nodes.order_all
        and counted.shortest_victory = published_nodes.shortest_victory
        and counted.init_window = published_nodes.init_window
        and counted.use_table = published_nodes.use_table
        and counted.is_random = published_nodes.is_random
),

final as (
    select
        scope,
        ordering,
        order_all,
        shortest_victory,
        init_window,
        use_table,
        is_random,
        runs,
        least,
        nodes,
        greatest,
        published,
        -- A published figure of a random count is one sample of it.
        abs(published - mean) <= 4 * deviation as agrees,
        case
            when is_random and published between least and greatest then
                'a random sample, within these ' || runs
            when is_random and agrees then
                'a random sample, within 4 standard deviations of these ' || runs
            when is_random and not agrees then
                'a random sample, more than 4 standard deviations off these ' || runs
            when not agrees then coalesce(note, 'not explained')
        end as why,
    from compared
)

from final
order by scope desc, ordering nulls first, order_all, is_random, shortest_victory, use_table, init_window
