-- question: By which moves does the builder that goes depth first make its nodes?
-- grain: one node, without the root, in the order of creation
select move
from tree_dfs
where move is not null
order by node
