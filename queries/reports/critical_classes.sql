-- question: Which classes of positions test a player most?
-- grain: one critical class, shown by its representative
with
final as (
    select
        classes.class,
        classes.board,
        positions.turn,
        classes.score,
        classes.distance,
        positions.best_moves,
        len(positions.best_moves) as best,
        count(moves.move) as legal,
        max(moves.loss) as worst_loss,
        classes.orbit,
    from classes
    join positions using (position)
    join moves using (position)
    where classes.critical
    group by all
)

from final
order by best / legal, worst_loss desc, class
