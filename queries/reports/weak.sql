-- question: Which AIs solve the game weakly, so that no opponent beats them from the empty board?
-- grain: one AI
with
lost as (
    select
        ai,
        side,
        count(*) filter (status not in (side, 'draw', 'playing')) as losses,
        count(*) as positions,
    from ai_reached
    join positions using (position)
    group by ai, side
),

verdicts as (
    select
        ai,
        any_value(losses = 0) filter (side = 'circle') as as_circle,
        any_value(losses = 0) filter (side = 'cross') as as_cross,
        as_circle and as_cross as weakly_solved,
        any_value(losses) filter (side = 'circle') as lost_positions_as_circle,
        any_value(losses) filter (side = 'cross') as lost_positions_as_cross,
        any_value(positions) filter (side = 'circle') as positions_as_circle,
        any_value(positions) filter (side = 'cross') as positions_as_cross,
    from lost
    group by ai
),

final as (
    select
        verdicts.*,
        published_verdicts.weakly_solved as published,
        case when notation = '3x3k3' then published = verdicts.weakly_solved end as agrees,
    from verdicts
    cross join game
    left join published_verdicts using (ai)
)

from final
order by weakly_solved desc, lost_positions_as_circle + lost_positions_as_cross, ai
