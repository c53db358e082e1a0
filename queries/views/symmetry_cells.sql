-- grain: one symmetry of the board and one cell, with the cell that it goes to
create or replace view symmetry_cells as
with
-- On a torus a shift of all cells, which takes cell 0 to the cell shift, follows each symmetry.
counts as (
    select
        *,
        case when gravity then 2 when columns = rows then 8 else 4 end as of_board,
        case when torus then cells else 1 end as shifts,
    from game
),

turned as (
    select
        number + of_board * shift as symmetry,
        cell,
        columns,
        rows,
        shift,
        case number
            when 0 then [x, y]
            when 1 then [columns - 1 - x, y]
            when 2 then [x, rows - 1 - y]
            when 3 then [columns - 1 - x, rows - 1 - y]
            when 4 then [y, x]
            when 5 then [columns - 1 - y, x]
            when 6 then [y, rows - 1 - x]
            when 7 then [columns - 1 - y, rows - 1 - x]
        end as goal,
    from
        counts,
        cells,
        unnest(range(of_board)) as numbers (number),
        unnest(range(shifts)) as all_shifts (shift)
)

select
    symmetry,
    cell,
    (goal[1] + shift) % columns + columns * ((goal[2] + shift // columns) % rows) as image,
from turned;
