-- question: What kinds of nodes does each setting visit, and how well are the first moves chosen?
-- grain: one setting that searches with windows, over its searches that ended
with
final as (
    select
        setting,
        count(*) as searches,
        sum(nodes)::bigint as nodes,
        round(100 * sum(leaves) / sum(nodes), 1) as leaves_percent,
        round(100 * sum(answered) / sum(nodes), 1) as answered_percent,
        round(100 * sum(pv_nodes) / sum(nodes), 1) as pv_percent,
        round(100 * sum(cut_nodes) / sum(nodes), 1) as cut_percent,
        round(100 * sum(all_nodes) / sum(nodes), 1) as all_percent,
        round(100 * sum(first_cuts) / nullif(sum(cut_nodes), 0), 1) as first_move_cuts_percent,
        -- A tree in which every node has so many children has as many nodes, to the full board.
        round(
            any_value(pow(nodes, 1 / (cells - ply))) filter (ply = 0), 3
        ) as branching_from_empty_board,
    from techniques
    cross join game
    where leaves is not null and score is not null
    group by setting
)

from final
order by nodes, setting
