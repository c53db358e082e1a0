-- grain: one cell with its place in the order in which the index takes the cells
-- stored: the game alone says it, and every check reads it
create or replace view places as
select
    cell,
    x,
    y,
    -- With gravity columns from the border to the centre, each from its top.
    row_number() over (
        order by
            case when gravity then -abs(2 * x - columns + 1) end,
            case when gravity then x end,
            cell
    ) - 1 as place,
    1::bigint << place as bit,
from cells, game;
