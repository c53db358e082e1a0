-- question: Does each tree show each position as often as the table of positions says?
-- grain: one position and tree where the numbers differ
-- examines: positions
with
counted as (
    select
        tree,
        position,
        count(*) as nodes,
        min(ply) as least_ply,
        max(ply) as greatest_ply,
    from trees
    group by tree, position
),

expected as (
    select
        tree,
        positions.*,
    from positions, (values ('tree_bfs'), ('tree_dfs')) as names (tree)
),

final as (
    select
        tree,
        position,
        expected.board,
        expected.nodes as expected,
        counted.nodes as got,
        expected.ply,
        least_ply,
        greatest_ply,
    from expected
    full join counted using (tree, position)
    where
        (expected.nodes, expected.ply, expected.ply)
        is distinct from
        (counted.nodes, least_ply, greatest_ply)
)

from final
order by tree, position
