-- grain: one ply, with what all of its rows in the index of a solution have in common
-- stored: the game alone says it, and every check reads it
create or replace view ply_shapes as
select
    ply,
    -- A block has the marks of circle, or with gravity all. A choice is k of the m cells left.
    case when gravity then ply else (ply + 1) // 2 end as marks,
    case when gravity then ply else cells - marks end as m,
    case when gravity then (ply + 1) // 2 else ply // 2 end as k,
    choose(m, k) as offsets,
from game, unnest(range(cells + 1)) as numbers (ply);
