-- grain: one ply and one content of the higher cells of a choice, with the choices before it
-- stored: the game alone says it, and every check reads it
create or replace view choice_halves as
-- Choices are in the order of their masks. So those with the same higher cells are neighbours.
with
halves as (
    select
        ply,
        k,
        least(half, m) as lower_cells,
        unnest(range(1 << greatest(0, m - half))) as high,
    from ply_shapes, (select (cells + 1) // 2 as half from game)
),

sizes as (
    select
        ply,
        high,
        choose(lower_cells, k - bit_count(high)) as choices,
    from halves
)

select
    ply,
    high,
    (sum(choices) over (order by ply, high) - choices)::bigint as choices_before,
from sizes;
