-- question: Are all images of a board in the same split?
-- grain: one image of a board of one split that is in another, or in none
-- examines: splits
with
images as (
    select
        splits.class,
        splits.split,
        symmetry,
        string_agg(substr(board, symmetry_cells.cell + 1, 1), '' order by image) as board,
    from splits, symmetry_cells
    group by all
),

final as (
    select
        images.class,
        images.board,
        images.split,
        splits.class as other_class,
        splits.split as other_split,
    from images
    left join positions using (board)
    left join splits on splits.class = positions.class
    where (images.class, images.split) is distinct from (splits.class, splits.split)
)

from final
order by class, board
