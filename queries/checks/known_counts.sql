-- question: Are all counts of this game those that are known from elsewhere?
-- grain: one known count that differs from the tables, or that no query measures
-- examines: known_counts_here
with recursive
plies as (
    select
        'nodes' as quantity,
        ply,
        sum(nodes) as count,
    from positions
    group by ply

    union all

    select 'positions', ply, count(*)
    from positions
    group by ply

    union all

    select 'classes', ply, count(*)
    from classes
    group by ply
),

totals as (
    select
        quantity,
        sum(count) as count,
    from plies
    group by quantity

    union all

    select 'nodes made by a move', sum(nodes) - 1
    from positions

    union all

    select unnest([
        {'quantity': 'games', 'count': sum(nodes)},
        {'quantity': 'games won by circle', 'count': sum(nodes) filter (status = 'circle')},
        {'quantity': 'games won by cross', 'count': sum(nodes) filter (status = 'cross')},
        {'quantity': 'games drawn', 'count': sum(nodes) filter (status = 'draw')},
        {'quantity': 'finished positions', 'count': count(*)},
        {
            'quantity': 'finished positions won by circle',
            'count': count(*) filter (status = 'circle'),
        },
        {
            'quantity': 'finished positions won by cross',
            'count': count(*) filter (status = 'cross'),
        },
        {
            'quantity': 'finished positions drawn',
            'count': count(*) filter (status = 'draw'),
        },
    ], recursive := true)
    from positions
    where status <> 'playing'

    union all

    select unnest([
        {'quantity': 'finished classes', 'count': count(*)},
        {
            'quantity': 'finished classes won by circle',
            'count': count(*) filter (status = 'circle'),
        },
        {
            'quantity': 'finished classes won by cross',
            'count': count(*) filter (status = 'cross'),
        },
        {
            'quantity': 'finished classes drawn',
            'count': count(*) filter (status = 'draw'),
        },
    ], recursive := true)
    from classes
    where status <> 'playing'

    union all

    select unnest([
        {
            'quantity': 'unfinished positions',
            'count': count(*) filter (status = 'playing'),
        },
        {'quantity': 'critical positions', 'count': count(*) filter (critical)},
        {
            'quantity': 'positions with score +1',
            'count': count(*) filter (score = 1),
        },
        {
            'quantity': 'positions with score 0',
            'count': count(*) filter (score = 0),
        },
        {
            'quantity': 'positions with score -1',
            'count': count(*) filter (score = -1),
        },
    ], recursive := true)
    from positions

    union all

    select unnest([
        {
            'quantity': 'unfinished classes',
            'count': count(*) filter (status = 'playing'),
        },
        {'quantity': 'critical classes', 'count': count(*) filter (critical)},
    ], recursive := true)
    from classes

    union all

    select 'moves', count(*)
    from moves
),

-- Lines of play that ignore wins: the cells in any order.
free_play as (
    select factorial(cells::int) // factorial((cells - ply)::int) as ways
    from game, unnest(range(cells + 1)) as numbers (ply)
),

-- Games up to symmetry: paths of the class graph, a class reached from another only once.
-- (Wrong moves may go round in circles; no path is longer than the game.)
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

-- Subtrees of the openings, each named by where on the board it stands.
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

openings as (
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
),

measured as (
    from plies

    union all

    select quantity, null, count
    from totals

    union all

    select 'nodes without stopping at wins', null, sum(ways)
    from free_play

    union all

    select 'games up to symmetry (paths in the class graph)', null, sum(ways)
    from class_paths
    join classes using (class)
    where status <> 'playing'

    union all

    select quantity, null, count
    from openings
),

final as (
    select
        known.quantity,
        known.ply,
        known.count as expected,
        measured.count as got,
        known.source,
    from known_counts_here as known
    left join measured
        on known.quantity = measured.quantity
        and known.ply is not distinct from measured.ply
    where measured.count is distinct from known.count
)

from final
order by quantity, ply
