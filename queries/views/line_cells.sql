-- grain: one cell of one line; a line is a run of cells that decides the game
create or replace view line_cells as
with
directions (dx, dy) as (
    values (1, 0), (0, 1), (1, 1), (-1, 1)
),

lines as (
    select distinct
        x,
        y,
        -- A line of one cell is the same in every direction.
        case when run = 1 then 0 else dx end as dx,
        case when run = 1 then 0 else dy end as dy,
    from game, cells, directions
    where x + dx * (run - 1) between 0 and columns - 1
        and y + dy * (run - 1) < rows
)

select
    [lines.x, lines.y, dx, dy] as line,
    cells.cell,
    cells.bit,
from game, lines, unnest(range(run)) as steps (step)
join cells on cells.x = lines.x + dx * step and cells.y = lines.y + dy * step;
