-- grain: one AI, over the critical positions; mean_plies_lost is over all unfinished ones
create or replace view ai_figures as
with
-- A position is wrong where the AI may choose a move that is not a best move.
mistakes as (
    select
        ai,
        position,
        sum(probability) as chance,
        sum(probability * loss) as loss,
    from blunders
    group by ai, position
),

judged as (
    select
        ais.ai,
        positions.position,
        positions.class,
        mistakes.position is null as is_right,
        coalesce(mistakes.chance, 0) as chance_wrong,
        coalesce(mistakes.loss, 0) as loss,
    from ais
    cross join positions
    left join mistakes on ais.ai = mistakes.ai and positions.position = mistakes.position
    where positions.critical
),

-- A class is right where all of its positions are.
of_classes as (
    select
        judged.ai,
        class,
        bool_and(is_right) as is_right,
        bool_or(is_right and judged.position = classes.position) as is_representative_right,
    from judged
    join classes using (class)
    group by judged.ai, class
),

-- Where the AI may choose a best move: by how many plies it wins later, or loses sooner, than it
-- could. A draw loses none.
kept as (
    select
        ai_moves.ai,
        before.position,
        abs(before.score) * sum(probability * abs(after.distance + 1 - before.distance))
            / sum(probability) as plies_lost,
    from ai_moves
    join moves using (position, move)
    join positions as before on moves.position = before.position
    join positions as after on moves.child = after.position
    where is_candidate and is_best
    group by ai_moves.ai, before.position, before.score
),

by_position as (
    select
        ai,
        count(*) as positions,
        count(*) filter (is_right) as positions_right,
        round(100 * avg(1 - chance_wrong), 4) as best_move_percent,
        round(avg(loss), 6) as expected_loss,
    from judged
    group by ai
),

by_class as (
    select
        ai,
        count(*) as classes,
        count(*) filter (is_right) as classes_right,
        count(*) filter (is_representative_right) as representatives_right,
    from of_classes
    group by ai
),

by_plies as (
    select
        ai,
        round(avg(plies_lost), 4) as mean_plies_lost,
    from kept
    group by ai
)

select
    ais.ai,
    ais.family,
    coalesce(classes_right, 0) as classes_right,
    coalesce(representatives_right, 0) as representatives_right,
    coalesce(classes, 0) as classes,
    coalesce(positions_right, 0) as positions_right,
    coalesce(positions, 0) as positions,
    best_move_percent,
    expected_loss,
    mean_plies_lost,
from ais
left join by_position using (ai)
left join by_class using (ai)
left join by_plies using (ai);
