-- grain: the board that the view solution shows for the class of a board
create or replace macro representative(board) as (
    with images as (
        select
            string_agg(substr(board, symmetry_cells.cell + 1, 1), '' order by image) as image_board,
            sum(bit) filter (mark = 'o' or gravity and mark = 'x') as block_mask,
            sum(bit) filter (mark = case when gravity then 'o' else 'x' end) as choice,
        from game, symmetry_cells
        join places on places.cell = image,
            lateral (select substr(board, symmetry_cells.cell + 1, 1) as mark)
        group by symmetry
    )

    -- The greatest block, and the smallest of its rows.
    select first(image_board order by block_mask desc, choice) from images
);
