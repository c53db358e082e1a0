-- question: By which moves does the builder that goes depth first make its nodes?
-- grain: one node, without the root, in the order of creation
-- needs: tree_dfs
select move
from tree_dfs
where move is not null
order by node
