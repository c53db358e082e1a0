-- grain: one cell of one line; a side that fills all cells of a line decides the game
-- stored: the game alone says it, and every check reads it
create or replace view line_cells as
with
directions (dx, dy) as (
    values (1, 0), (0, 1), (1, 1), (-1, 1)
),

-- Some cells are a line in more than one direction, such as a run of one.
lines as (
    select distinct list(cells.cell order by cells.cell) as line,
    from game, directions, cells as first, unnest(range(run)) as steps (step)
    join cells on case
        when torus
            then (first.x + dx * step - cells.x) % columns = 0
            and (first.y + dy * step - cells.y) % rows = 0
        else first.x + dx * step = cells.x and first.y + dy * step = cells.y
    end
    group by first.cell, dx, dy, run
    having count(distinct cells.cell) = run
)

select
    line,
    cell,
    bit,
from (select line, unnest(line) as cell from lines)
join cells using (cell);
