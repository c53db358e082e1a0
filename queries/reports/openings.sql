-- question: What is the score of each first move, and how large is the tree below it?
-- grain: one first move
with
final as (
    select
        tree_bfs.move as opening,
        board,
        score,
        score_sv,
        distance,
        subtree,
        round(100 * random_circle, 2) as random_circle_percent,
        round(100 * random_draw, 2) as random_draw_percent,
        round(100 * random_cross, 2) as random_cross_percent,
    from tree_bfs
    join positions using (position)
    where tree_bfs.ply = 1
)

from final
order by opening
