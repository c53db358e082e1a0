-- grain: one cell of the board
create or replace view cells as
select
    cell,
    cell % columns as x,
    cell // columns as y,
    1::bigint << cell as bit,
from game, unnest(range(cells)) as numbers (cell);
