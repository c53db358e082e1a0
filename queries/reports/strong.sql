-- question: Which AIs solve the game strongly, with a best move in every position?
-- grain: one AI; right: every move that it may choose is a best move, in a class in all positions
with
-- The tutorial series counts a class as right when its representative is.
final as (
    select
        ai,
        family,
        classes_right,
        ai_figures.representatives_right,
        classes,
        ai_figures.positions_right,
        positions,
        ai_figures.positions_right = positions as strongly_solved,
        mean_plies_lost,
        published_verdicts.representatives_right as published_representatives_right,
        published_verdicts.positions_right as published_positions_right,
        case
            when source is not null and notation = '3x3k3' then
                (ai_figures.representatives_right, ai_figures.positions_right)
                = (
                    published_representatives_right,
                    coalesce(published_positions_right, ai_figures.positions_right),
                )
        end as agrees,
    from ai_figures
    cross join game
    left join published_verdicts using (ai)
)

from final
order by positions_right desc, ai
