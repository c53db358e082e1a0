-- grain: the board that stands for the class of a board, as the view solution has it
-- needs: solution
create or replace macro representative(board) as (
    with images as (
        select
            string_agg(substr(board, cell + 1, 1), '' order by image) as image_board,
            sum(weight * case substr(board, cell + 1, 1) when 'o' then 1 when 'x' then 2 else 0 end)
                as key,
        from (
            select symmetry, symmetry_cells.cell, image, weight,
            from symmetry_cells
            join key_weights on symmetry_cells.image = key_weights.cell
        )
        group by symmetry
    )

    select arg_min(image_board, key) from images
);
