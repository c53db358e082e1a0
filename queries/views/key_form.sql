-- grain: the game, as its keys are made
create or replace view key_form as
select
    misere,
    gravity and rows <= 8 as by_column,
    (select list(weight order by cell) from key_weights) as weights,
    (select sum(weight)::bigint from key_weights) as full_board,
    case
        when by_column then (select sum(weight)::bigint from key_weights where y = rows - 1) else 0
    end as empty_board,
    -- By column: its lowest bit, all its bits, and for all that these can hold those below the 1.
    (select list(column_bit) from key_weights where y = 0) as columns_at,
    (2 << rows) - 1 as column_bits,
    [(1 << floor(log2(held))::int) - 1 for held in range(1, 2 << rows)] as filled,
    -- Every line as the sum of its weights.
    (
        select list(line)
        from (
            select sum(weight)::bigint as line
            from line_cells
            join key_weights using (cell)
            group by line_cells.line
        )
    ) as lines,
    -- Every symmetry as a list of weights, and of those that they become.
    (
        select list(cells order by symmetry)
        from (
            select symmetry, list({'weight': weight, 'image': images[symmetry + 1]}) as cells,
            from key_cells, symmetry_cells
            where key_cells.cell = symmetry_cells.cell
            group by symmetry
        )
    ) as symmetries,
from game;
