-- question: Does each node follow from its parent by a legal move, and do the subtrees add up?
-- grain: one node of one tree that breaks a rule
-- examines: trees
with
children as (
    select
        tree,
        parent as node,
        count(*) as children,
        count(distinct move) as different_moves,
        sum(subtree) as nodes_below,
    from trees
    where parent is not null
    group by tree, parent
),

legal as (
    select
        position,
        count(*) as legal_moves,
    from moves
    group by position
),

checked as (
    select
        child.tree,
        child.node,
        child.line,
        child.position,
        case
            when child.node = 0 then
                child.parent is null and child.move is null and child.ply = 0
                and child.line = 0 and child.position = 0
            else
                parent.node < child.node
                and child.ply = parent.ply + 1
                and child.line = parent.line * 10::bigint + child.move + 1
                and child.position = moves.child
        end as follows_parent,
        child.subtree = 1 + coalesce(children.nodes_below, 0) as subtree_adds_up,
        (coalesce(children.children, 0), coalesce(different_moves, 0))
        is not distinct from
        (coalesce(legal.legal_moves, 0), coalesce(legal.legal_moves, 0)) as all_moves_played,
    from trees as child
    left join trees as parent on child.tree = parent.tree and child.parent = parent.node
    left join moves on parent.position = moves.position and child.move = moves.move
    left join children on child.tree = children.tree and child.node = children.node
    left join legal on child.position = legal.position
),

final as (
    select
        checked.*,
        board,
    from checked
    left join positions using (position)
    where (follows_parent and subtree_adds_up and all_moves_played) is not true
)

from final
order by tree, node
