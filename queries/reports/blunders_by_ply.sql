-- question: When does each AI blunder, and how badly?
-- grain: one AI and one ply with critical positions
with
worst as (
    select
        ai,
        position,
        max(loss) as loss,
        sum(probability) as chance,
    from blunders
    group by ai, position
),

final as (
    select
        ais.ai,
        positions.ply,
        count(*) as critical,
        count(worst.position) as wrong,
        count(*) filter (worst.loss = 2) as loses_a_won_game,
        round(100 * coalesce(sum(chance), 0) / count(*), 2) as mean_chance_percent,
    from ais
    cross join positions
    left join worst on ais.ai = worst.ai and positions.position = worst.position
    where positions.critical
    group by ais.ai, positions.ply
)

from final
order by ai, ply
