-- question: Do score, score_sv and distance announce the same win?
-- grain: one position where they do not
-- examines: positions
with
final as (
    select
        position,
        board,
        score,
        score_sv,
        distance,
        ply,
    from positions, game
    where
        -- The win comes at move ply + distance; a draw fills the board.
        score_sv <> score * (1 + (cells - (ply + distance)) // 2)
        or score = 0 and ply + distance <> cells
)

from final
order by position
