-- question: Does each search find the right score, with at least as many nodes as that takes?
-- grain: one search of one position that does not
-- examines: searches
with
representatives as (
    select
        positions.*,
        nodes_below,
    from classes
    join positions using (position)
    join (select position, nodes_below from subtree_sizes) using (position)
    where positions.status = 'playing'
),

-- The same search with the moves in ascending order. An ordering that moves nothing costs as much.
unordered as (
    select
        algorithm,
        shortest_victory,
        init_window,
        use_table,
        position,
        nodes as nodes_unordered,
    from searches
    where ordering is null and max_depth is null and evaluation is null
),

final as (
    select
        searched.search,
        representatives.position,
        representatives.board,
        searched.algorithm,
        searches.score,
        searches.nodes,
        least_nodes.nodes as least,
        nodes_below as greatest,
    from search_options as searched
    cross join representatives
    full join (
        select
            *,
            count(*) over (partition by search, position) as times,
        from searches
    ) as searches using (search, position)
    left join least_nodes using (position)
    left join unordered
        on searched.algorithm = unordered.algorithm
        and searched.shortest_victory = unordered.shortest_victory
        and searched.init_window = unordered.init_window
        and searched.use_table = unordered.use_table
        and searches.position = unordered.position
    where
        (
            times = 1
            -- The options of one search are the same in all of its rows.
            and (
                searches.algorithm, searches.ordering, searches.order_all,
                searches.shortest_victory, searches.init_window, searches.use_table,
                searches.max_depth, searches.evaluation, searches.seed,
            ) is not distinct from (
                searched.algorithm, searched.ordering, searched.order_all,
                searched.shortest_victory, searched.init_window, searched.use_table,
                searched.max_depth, searched.evaluation, searched.seed,
            )
            and case
                when searched.to_the_end
                    then searches.score = case
                        when searches.shortest_victory then representatives.score_sv
                        else representatives.score
                    end
                else searches.score is not null
            end
            and case
                when searches.algorithm = 'minimax' and not searches.use_table
                    then searches.nodes = nodes_below
                when searches.algorithm = 'minimax' or searches.algorithm = 'alphabeta'
                    then searches.nodes <= nodes_below
                else searches.nodes > 0
            end
            and (
                searches.algorithm <> 'alphabeta'
                or searches.use_table
                or searches.shortest_victory
                or searches.init_window
                or searches.nodes >= least_nodes.nodes
            )
            and (
                searches.ordering is distinct from 'ai1s'
                or searches.nodes = nodes_unordered
            )
        ) is not true
)

from final
order by search, position, nodes, score, algorithm
