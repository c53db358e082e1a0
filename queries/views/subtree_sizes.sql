-- grain: one position, with the nodes of the full tree at and below each of its nodes
create or replace view subtree_sizes as
with recursive
sizes as (
    select
        position,
        ply,
        1::bigint as nodes_below,
    from positions
    where ply = (select max(ply) from positions)

    union all

    select
        parent.position,
        any_value(parent.ply),
        (1 + coalesce(sum(child.nodes_below), 0))::bigint,
    from positions as parent
    left join moves on parent.position = moves.position
    left join sizes as child on moves.child = child.position
    where parent.ply = (select max(sizes.ply) from sizes) - 1
    group by parent.position
)

select
    position,
    nodes_below,
from sizes;
