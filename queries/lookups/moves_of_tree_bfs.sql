-- question: By which moves does the builder that goes breadth first make its nodes?
-- grain: one node, without the root, in the order of creation
select move
from tree_bfs
where move is not null
order by node
