-- grain: one class of positions of a solved game
-- needs: solution
create or replace view solution as
select
    ply,
    key,
    case when ply % 2 = 0 then score_mover else -score_mover end::tinyint as score,
    score_mover,
    distance,
    orbit,
    array_to_string(list_transform(weights, lambda weight: case
        when circles & weight <> 0 then 'o'
        when crosses & weight <> 0 then 'x'
        else '.'
    end), '') as board,
from solution_marks;
