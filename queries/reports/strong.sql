-- question: Which AIs solve the game strongly, with a best move in every position?
-- grain: one AI; right: every move that it may choose is a best move
-- needs: ais, ai_moves
with
wrong as (
    select distinct
        ai,
        position,
    from blunders
),

right_positions as (
    select
        ais.ai,
        ais.family,
        count(positions.position) filter (wrong.position is null) as positions_right,
        count(positions.position) as positions,
        count(classes.position) filter (wrong.position is null) as classes_right,
        count(classes.position) as classes,
    from ais
    left join positions on positions.critical
    left join classes using (position)
    left join wrong on ais.ai = wrong.ai and positions.position = wrong.position
    group by ais.ai, ais.family
),

final as (
    select
        ai,
        family,
        classes_right,
        classes,
        positions_right,
        positions,
        positions_right = positions as strongly_solved,
        published_verdicts.critical_classes_right as published_classes_right,
        published_verdicts.critical_positions_right as published_positions_right,
        case
            when source is not null and notation = '3x3k3' then
                (classes_right, positions_right)
                = (
                    critical_classes_right,
                    coalesce(critical_positions_right, positions_right),
                )
        end as agrees,
    from right_positions
    cross join game
    left join published_verdicts using (ai)
)

from final
order by positions_right desc, ai
