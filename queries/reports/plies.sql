-- question: How many nodes, positions, classes and finished games are there at each ply?
-- grain: one ply; the last row, without a ply, is for all
with
of_positions as (
    select
        ply,
        sum(nodes) as nodes,
        count(*) as positions,
        coalesce(sum(nodes) filter (status <> 'playing'), 0) as finished_games,
        coalesce(sum(nodes) filter (status = 'circle'), 0) as won_by_circle,
        coalesce(sum(nodes) filter (status = 'cross'), 0) as won_by_cross,
        coalesce(sum(nodes) filter (status = 'draw'), 0) as drawn,
    from positions
    group by rollup (ply)
),

of_classes as (
    select
        ply,
        count(*) as classes,
    from classes
    group by rollup (ply)
),

final as (
    select
        of_positions.ply,
        nodes,
        positions,
        classes,
        finished_games,
        won_by_circle,
        won_by_cross,
        drawn,
    from of_positions
    join of_classes on of_positions.ply is not distinct from of_classes.ply
)

from final
order by ply nulls last
