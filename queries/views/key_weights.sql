-- grain: one cell, with what a circle there adds to a key, and the weight below, or 0
create or replace view key_weights as
select
    cell,
    y,
    x * (rows + 1) as column_bit,
    case
        when gravity and rows <= 8 then 1::bigint << (column_bit + rows - 1 - y)
        else 1::bigint << 2 * cell
    end as weight,
    case
        when not gravity or y = rows - 1 then 0
        when rows <= 8 then weight >> 1
        else weight << 2 * columns
    end as below,
from cells, game;
