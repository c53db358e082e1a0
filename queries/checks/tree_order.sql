-- question: Are the nodes numbered and written in the order in which each builder creates them?
-- grain: one node with a wrong number
-- examines: trees
with
breadth_first as (
    select
        'tree_bfs' as tree,
        node,
        row_number() over (order by ply, parent nulls first, move) - 1 as expected,
        row_number() over () - 1 as place,
        line,
    from tree_bfs
),

-- Depth first is the order of the lines as text: a line comes before its extensions.
depth_first as (
    select
        'tree_dfs' as tree,
        node,
        row_number() over (order by case line when 0 then '' else line::varchar end) - 1
            as expected,
        row_number() over () - 1 as place,
        line,
    from tree_dfs
),

final as (
    from breadth_first
    where node <> expected or node <> place

    union all

    from depth_first
    where node <> expected or node <> place
)

from final
order by tree, node
