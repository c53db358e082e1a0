-- question: How many nodes do ordering, root window and table save, and how many are necessary?
-- grain: one deterministic alpha-beta search with its options, for plain scores
with
scopes as (
    select
        position,
        unnest(
            case
                when position = 0 and critical then ['empty board', 'critical classes']
                when position = 0 then ['empty board']
                else ['critical classes']
            end
        ) as scope,
    from positions
    where position = 0 or critical
),

counted as (
    select
        scope,
        ordering,
        order_all,
        init_window,
        use_table,
        sum(searches.nodes) as nodes,
        sum(least_nodes.nodes) as least,
    from searches
    join scopes using (position)
    join least_nodes using (position)
    where algorithm = 'alphabeta' and not shortest_victory and seed is null
    group by all
),

plain as (
    select
        scope,
        nodes as plain_nodes,
    from counted
    where ordering is null and not init_window and not use_table
),

final as (
    select
        scope,
        ordering,
        order_all,
        init_window,
        use_table,
        nodes,
        round(100 * (1 - nodes / plain_nodes), 2) as saved_percent,
        -- This minimum holds for searches without a root window and without a table.
        case when not init_window and not use_table then least end as least_possible,
        case when not init_window and not use_table then round(nodes / least, 3) end as times_least,
    from counted
    join plain using (scope)
)

from final
order by scope, nodes, ordering nulls first, order_all, init_window, use_table
