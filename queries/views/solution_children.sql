-- grain: one class and one of its legal moves; a finished class has one row, without a move
-- needs: solution
create or replace view solution_children as
with
sided as (
    select
        *,
        case when ply % 2 = 0 then crosses else circles end as waiting,
    from solution_marks
),

judged as (
    select
        *,
        len(list_filter(lines, lambda line: waiting & line = line)) > 0 as has_line,
    from sided
),

ended as (
    select
        *,
        len(weights) as cells,
        case -- for the side to move; null while nobody has won and there are empty cells
            when has_line and misere then 1
            when has_line then -1
            when marks = full_board then 0
        end as result,
    from judged
)

select
    ply,
    ended.key,
    score_mover,
    distance,
    cells,
    result,
    cell as move,
    list_min(list_transform(
        list_zip(keys, images), lambda pair: pair[1] + (ply % 2 + 1) * pair[2]
    )) as child,
from ended
left join key_cells on result is null and marks & weight = 0 and marks & below = below;
