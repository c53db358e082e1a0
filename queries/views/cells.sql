-- grain: one cell of the board
-- stored: the game alone says it, and every check reads it
create or replace view cells as
select
    cell,
    cell % columns as x,
    cell // columns as y,
    1::bigint << cell as bit,
    -- The cell opens once all cells of one of these masks are filled.
    [case when gravity and y < rows - 1 then bit << columns else 0 end] as supports,
    list_contains(supports, 0) as is_open_at_first,
from game, unnest(range(cells)) as numbers (cell);
