-- question: Which nodes are the children of this node of the breadth-first tree?
-- grain: one child, by its move
-- needs: tree_bfs
-- parameters: node
select
    tree_bfs.line,
    move,
    subtree,
    board,
    score,
    score_sv,
from tree_bfs
join positions using (position)
where parent = ?
order by move
