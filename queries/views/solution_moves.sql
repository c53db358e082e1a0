-- grain: one legal move in one class, with the class that it leads to
create or replace view solution_moves as
select
    neighbours.ply,
    neighbours.key,
    cell as move,
    new_key as child,
    case when new_ply % 2 = 0 then sign(children.value) else -sign(children.value) end::tinyint
        as score,
    case when children.value = 0 then cells - new_ply else 64 - abs(children.value) end::tinyint
        as distance,
    -- The child's value is that of the other side.
    (sign(neighbours.value) + sign(children.value))::tinyint as loss,
from game, solution_neighbours as neighbours
join solution_files as children
    -- DuckDB derives the ply of the children from that of the classes, and reads no other.
    on children.ply - 1 = neighbours.ply and children.key = new_key
where step = 1 and abs(neighbours.value) < 64;
