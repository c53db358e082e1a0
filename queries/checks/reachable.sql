-- question: Does a move lead to each position, and are its lines of play counted correctly?
-- grain: one position with no move to it, or with a wrong ply or count
-- examines: positions
with
reached as (
    select
        moves.child as position,
        sum(before.nodes) as nodes,
        min(before.ply) + 1 as least_ply,
        max(before.ply) + 1 as greatest_ply,
    from moves
    join positions as before on moves.position = before.position
    group by moves.child
),

expected as (
    select
        positions.position,
        positions.board,
        positions.nodes,
        positions.ply,
        case positions.position when 0 then 1 else reached.nodes end as nodes_counted,
        case positions.position when 0 then 0 else reached.least_ply end as least_ply,
        case positions.position when 0 then 0 else reached.greatest_ply end as greatest_ply,
    from positions
    left join reached using (position)
),

final as (
    from expected
    where
        (nodes, ply, ply)
        is distinct from
        (nodes_counted, least_ply, greatest_ply)
)

from final
order by position
