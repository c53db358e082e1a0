-- question: Do the figures of each AI follow from its choices and the scores after its moves?
-- grain: one AI with another figure
-- examines: ai_figures
with
-- Which moves are best, and how much the others lose, follows from the children's scores alone.
worth as (
    select
        moves.position,
        moves.move,
        before.class,
        before.distance,
        after.distance as distance_after,
        case before.turn when 'circle' then after.score else -after.score end as score_mover,
        max(score_mover) over all_moves as best,
        min(score_mover) over all_moves as worst,
        min(before.position) over (partition by before.class) as representative,
    from moves
    join positions as before on moves.position = before.position
    join positions as after on moves.child = after.position
    window all_moves as (partition by moves.position)
),

by_position as (
    select
        ai,
        worth.position,
        any_value(class) as class,
        any_value(worth.position = representative) as represents,
        any_value(worst < best) as is_critical,
        bool_and(score_mover = best) filter (is_candidate) as is_right,
        coalesce(sum(probability) filter (score_mover = best), 0) as chance_right,
        sum(probability * (best - score_mover)) as loss,
        sum(probability * best * (distance_after + 1 - distance)) filter (score_mover = best)
            as plies_lost,
    from ai_moves
    join worth using (position, move)
    group by ai, worth.position
),

by_class as (
    select
        ai,
        count(*) filter (all_right) as classes_right,
        count(*) as classes,
    from (
        select
            ai,
            class,
            bool_and(is_right) as all_right,
        from by_position
        where is_critical
        group by ai, class
    )
    group by ai
),

derived as (
    select
        ai,
        count(*) filter (is_critical and is_right and represents) as representatives_right,
        count(*) filter (is_critical and is_right) as positions_right,
        count(*) filter (is_critical) as positions,
        100 * avg(chance_right) filter (is_critical) as best_move_percent,
        avg(loss) filter (is_critical) as expected_loss,
        avg(plies_lost / chance_right) filter (chance_right > 0) as mean_plies_lost,
    from by_position
    group by ai
),

final as (
    select
        coalesce(ai_figures.ai, derived.ai) as ai,
        ai_figures.classes_right as got_classes_right,
        by_class.classes_right,
        ai_figures.representatives_right as got_representatives_right,
        derived.representatives_right,
        ai_figures.positions_right as got_positions_right,
        derived.positions_right,
        ai_figures.best_move_percent as got_best_move_percent,
        derived.best_move_percent,
        ai_figures.expected_loss as got_expected_loss,
        derived.expected_loss,
        ai_figures.mean_plies_lost as got_mean_plies_lost,
        derived.mean_plies_lost,
    from ai_figures
    full join derived using (ai)
    left join by_class using (ai)
    where
        (
            ai_figures.classes_right = coalesce(by_class.classes_right, 0)
            and ai_figures.classes = coalesce(by_class.classes, 0)
            and ai_figures.representatives_right = derived.representatives_right
            and ai_figures.positions_right = derived.positions_right
            and ai_figures.positions = derived.positions
            -- The figures are rounded. Without a critical position there is no mean.
            and (
                derived.positions = 0
                and ai_figures.best_move_percent is null
                and ai_figures.expected_loss is null
                or abs(ai_figures.best_move_percent - derived.best_move_percent) < 0.5001e-4
                and abs(ai_figures.expected_loss - derived.expected_loss) < 0.5001e-6
            )
            and (
                derived.mean_plies_lost is null
                and ai_figures.mean_plies_lost is null
                or abs(ai_figures.mean_plies_lost - derived.mean_plies_lost) < 0.5001e-4
            )
        ) is not true
)

from final
order by ai
