-- grain: one class of positions of a solved game
create or replace view solution as
select
    ply,
    key,
    case when ply % 2 = 0 then sign(value) else -sign(value) end::tinyint as score,
    sign(value)::tinyint as score_mover,
    case when value = 0 then cells - ply else 64 - abs(value) end::tinyint as distance,
    orbit,
    array_to_string(list_transform(bits, lambda bit: case
        when circles & bit <> 0 then 'o'
        when crosses & bit <> 0 then 'x'
        else '.'
    end), '') as board,
from solution_marks, game, (select list(bit order by cell) as bits from places);
