-- question: Which node of the two trees do these moves lead to?
-- grain: the node, or no row when these are no moves of a game
-- needs: tree_bfs, tree_dfs
-- parameters: line
select
    tree_dfs.node as node_dfs,
    tree_bfs.node as node_bfs,
    tree_bfs.line,
    tree_bfs.ply,
    tree_bfs.move,
    tree_bfs.subtree,
    parent.line as parent_line,
    positions.board,
    positions.position,
    positions.status,
from tree_bfs
join tree_dfs using (line)
join positions on tree_bfs.position = positions.position
left join tree_bfs as parent on tree_bfs.parent = parent.node
where tree_bfs.line = ?
