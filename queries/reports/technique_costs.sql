-- question: How far is each alpha-beta search without a table from the least tree?
-- grain: one setting of plain alpha-beta without a table and without a root window
with
compared as (
    select
        setting,
        ply,
        techniques.nodes,
        least_nodes.nodes as least,
    from techniques
    join positions using (board, ply)
    join least_nodes using (position, ply)
    where algorithm in ('alphabeta', 'minimax')
        and not use_table
        and not init_window
        and techniques.score is not null
),

final as (
    select
        setting,
        count(*) as positions,
        sum(nodes)::bigint as nodes,
        sum(least)::bigint as least_nodes,
        round(exp(avg(ln(nodes / least))), 3) as times_least,
        any_value(nodes) filter (ply = 0) as from_empty_board,
        any_value(least) filter (ply = 0) as least_from_empty_board,
    from compared
    group by setting
)

from final
order by times_least, setting
