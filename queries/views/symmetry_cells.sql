-- grain: one symmetry of the game and one cell, with the cell that it goes to
-- stored: the game alone says it, and every check reads it
create or replace view symmetry_cells as
with
-- On a torus a shift of all cells, which takes cell 0 to the cell shift, follows each symmetry.
counts as (
    select
        *,
        case when columns = rows then 8 else 4 end as turns,
        case when torus then cells else 1 end as shifts,
    from game
),

turned as (
    select
        number + turns * shift as symmetry,
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
        unnest(range(turns)) as numbers (number),
        unnest(range(shifts)) as all_shifts (shift)
),

of_board as (
    select
        symmetry,
        cell,
        (goal[1] + shift) % columns + columns * ((goal[2] + shift // columns) % rows) as image,
    from turned
),

-- What the rules declare: lines, what opens a cell, and the cells that the first mark may fill.
declared as (
    select 'line' as rule, -1 as cell, sum(bit)::bigint as mask from line_cells group by line
    union all
    select 'support' as rule, cell, unnest(supports) as mask from cells
    union all
    select 'first' as rule, cell, 0 as mask from cells where is_open_at_first
),

images as (
    select symmetry, list(image order by cell) as image from of_board group by symmetry
),

-- The same in the image of the board; where it is not the same, the game lacks the symmetry.
moved as (
    select
        symmetry,
        rule,
        coalesce(image[cell + 1], cell) as cell,
        list_sum(list_transform(
            image, lambda goal, i: (mask >> (i - 1) & 1) << goal
        ))::bigint as mask,
    from images, declared
)

select
    dense_rank() over (order by symmetry) - 1 as symmetry,
    cell,
    image,
from of_board
where symmetry not in (select symmetry from moved anti join declared using (rule, cell, mask));
