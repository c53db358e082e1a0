-- question: Do the breadth-first and the depth-first tree hold the same nodes?
-- grain: one line of moves at which the two trees differ
-- examines: trees
with
bfs as (
    select node.*, parent.line as parent_line
    from tree_bfs as node
    left join tree_bfs as parent on node.parent = parent.node
),

dfs as (
    select node.*, parent.line as parent_line
    from tree_dfs as node
    left join tree_dfs as parent on node.parent = parent.node
),

final as (
    select
        line,
        board,
        bfs.node as bfs_node,
        dfs.node as dfs_node,
        bfs.position as bfs_position,
        dfs.position as dfs_position,
        bfs.subtree as bfs_subtree,
        dfs.subtree as dfs_subtree,
    from bfs
    full join dfs using (line)
    left join positions on coalesce(bfs.position, dfs.position) = positions.position
    where
        (bfs.parent_line, bfs.move, bfs.ply, bfs.position, bfs.subtree)
        is distinct from
        (dfs.parent_line, dfs.move, dfs.ply, dfs.position, dfs.subtree)
)

from final
order by line
