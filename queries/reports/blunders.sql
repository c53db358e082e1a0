-- question: Which blunders does each AI make, and what do they lose?
-- grain: one blunder of one AI in the representative of a critical class
-- needs: ai_moves
with
final as (
    select
        blunders.ai,
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
    from blunders
    join classes using (position)
    join positions using (position)
    join positions as after on blunders.child = after.position
)

from final
order by ai, class, move
