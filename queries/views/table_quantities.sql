-- grain: one quantity that the tables count, at a ply or, where that is null, in all
create or replace view table_quantities as
with recursive
-- Games up to symmetry are paths of the class graph; several moves to one class count once.
-- (The limit of plies ends the walk even if wrong moves form a circle.)
class_moves as (
    select distinct
        before.class as class,
        after.class as child,
    from moves
    join positions as before on moves.position = before.position
    join positions as after on moves.child = after.position
),

class_paths as (
    select
        0 as ply,
        class,
        1::hugeint as ways,
    from classes
    where ply = 0

    union all

    select
        class_paths.ply + 1,
        class_moves.child,
        sum(class_paths.ways)::hugeint,
    from class_paths
    join class_moves using (class)
    where class_paths.ply < (select max(positions.ply) from positions)
    group by class_paths.ply, class_moves.child
),

-- Subtrees of the openings, named by corner, edge and centre.
subtrees as (
    select
        0 as depth,
        moves.move as opening,
        moves.child as position,
        1::hugeint as ways,
    from moves
    where moves.position = 0

    union all

    select
        subtrees.depth + 1,
        subtrees.opening,
        moves.child,
        sum(subtrees.ways)::hugeint,
    from subtrees
    join moves using (position)
    where subtrees.depth < (select max(positions.ply) from positions)
    group by subtrees.depth, subtrees.opening, moves.child
),

first_moves as (
    select distinct
        case
            when x in (0, columns - 1) and y in (0, rows - 1) then 'subtree of a corner opening'
            when x in (0, columns - 1) or y in (0, rows - 1) then 'subtree of an edge opening'
            else 'subtree of the centre opening'
        end as quantity,
        sum(ways) over (partition by opening) as count,
    from subtrees
    join cells on subtrees.opening = cells.cell
    cross join game
    where columns = 3 and rows = 3 and not gravity
)

from quantities('table_tally')

union all

select 'moves', null, count(*)
from moves

union all

select 'games up to symmetry (paths in the class graph)', null, sum(ways)
from class_paths
join classes using (class)
where status <> 'playing'

union all

select quantity, null, count
from first_moves;
