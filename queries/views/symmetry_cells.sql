-- grain: one symmetry of the board and one cell, with the cell that it goes to
create or replace view symmetry_cells as
select
    symmetry,
    cell,
    case symmetry
        when 0 then x + columns * y
        when 1 then (columns - 1 - x) + columns * y
        when 2 then x + columns * (rows - 1 - y)
        when 3 then (columns - 1 - x) + columns * (rows - 1 - y)
        when 4 then y + columns * x
        when 5 then (columns - 1 - y) + columns * x
        when 6 then y + columns * (rows - 1 - x)
        when 7 then (columns - 1 - y) + columns * (rows - 1 - x)
    end as image,
from game, cells, unnest(range(8)) as numbers (symmetry)
where symmetry < case when gravity then 2 when columns = rows then 8 else 4 end;
