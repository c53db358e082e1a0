-- question: Which blunders does each AI make, and what do they lose?
-- grain: one blunder of one AI in one critical position
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
        positions.class,
        blunders.position,
    from blunders
    join positions using (position)
    join positions as after on blunders.child = after.position
)

from final
order by ai, class, position, move
