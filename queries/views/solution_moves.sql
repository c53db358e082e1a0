-- grain: one legal move in one class, with the class that it leads to
-- needs: solution
create or replace view solution_moves as
select
    classes.ply,
    classes.key,
    move,
    child,
    case when children.ply % 2 = 0 then children.score_mover else -children.score_mover end::tinyint
        as score,
    children.distance,
    -- The child's score is that of the other side.
    classes.score_mover + children.score_mover as loss,
from solution_children as classes
join solution_files as children
    on children.ply = classes.ply + 1 and children.key = child;
