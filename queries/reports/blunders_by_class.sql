-- question: Which blunders does each AI make, and what do they lose?
-- grain: one blunder of one AI in the first position of a class in which it blunders
with
-- An AI may treat the positions of a class differently. The view blunders holds all of them.
in_classes as (
    select
        ai,
        class,
        min(position) as position,
        count(distinct position) as positions_wrong,
    from blunders
    join positions using (position)
    group by ai, class
),

final as (
    select
        in_classes.ai,
        positions.board,
        positions.turn,
        blunders.move,
        after.board as board_after,
        positions.score as score,
        after.score as score_after,
        blunders.loss,
        round(100 * blunders.probability, 2) as chance_percent,
        positions.best_moves,
        positions.ply,
        classes.class,
        in_classes.positions_wrong,
        classes.orbit as positions,
    from in_classes
    join blunders using (ai, position)
    join positions using (position)
    join positions as after on blunders.child = after.position
    join classes on in_classes.class = classes.class
)

from final
order by ai, class, move
