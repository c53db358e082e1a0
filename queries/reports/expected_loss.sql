-- question: How much does each AI give away on average, where it can give something away?
-- grain: one AI, over one position of each critical class
-- needs: ais, ai_moves
with
given_away as (
    select
        ai,
        position,
        sum(probability) as chance_wrong,
        sum(probability * loss) as loss,
    from blunders
    group by ai, position
),

final as (
    select
        ais.ai,
        ais.family,
        count(*) as critical_classes,
        round(100 * avg(1 - coalesce(chance_wrong, 0)), 4) as best_move_percent,
        round(avg(coalesce(given_away.loss, 0)), 6) as expected_loss,
    from ais
    join classes on classes.critical
    left join given_away on ais.ai = given_away.ai and classes.position = given_away.position
    group by ais.ai, ais.family
)

from final
order by expected_loss, ai
