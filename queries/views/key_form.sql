-- grain: the game, with what it takes to read its keys
create or replace view key_form as
select
    misere,
    gravity and rows <= 8 as by_column,
    (select list(weight order by cell) from key_weights) as weights,
    (select sum(weight)::bigint from key_weights) as full_board,
    case
        when by_column then (select sum(weight)::bigint from key_weights where y = rows - 1) else 0
    end as empty_board,
    -- By column: its lowest bit, a mask of its bits, and the marks in it for each of its contents.
    (select list(column_bit) from key_weights where y = 0) as columns_at,
    (2 << rows) - 1 as column_bits,
    [(1 << floor(log2(held))::int) - 1 for held in range(1, 2 << rows)] as filled,
    -- Each line is the sum of its weights.
    (
        select list(line)
        from (
            select sum(weight)::bigint as line
            from line_cells
            join key_weights using (cell)
            group by line_cells.line
        )
    ) as lines,
    -- Each symmetry is a list of weights, each with the weight of its image.
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
