-- question: Are all counts of this game those that are known from elsewhere?
-- grain: one known count that differs from the tables, or that no query measures
-- needs: positions, classes, moves
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

-- What each position and class is counted as, and each finished position as so many games.
counted_as as (
    select
        unnest([
            case when status = 'playing' then 'unfinished ' else 'finished ' end || things,
            case
                when status in ('circle', 'cross') then 'finished ' || things || ' won by ' || status
                when status = 'draw' then 'finished ' || things || ' drawn'
            end,
            case when critical then 'critical ' || things end,
            things || ' with score ' || case score when 1 then '+1' else score::varchar end,
        ]) as quantity,
        1 as count,
    from (
        select 'positions' as things, status, critical, score
        from positions

        union all

        select 'classes', status, critical, score
        from classes
    )

    union all

    select
        unnest([
            'games',
            case status when 'draw' then 'games drawn' else 'games won by ' || status end,
        ]),
        nodes,
    from positions
    where status <> 'playing'
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

    select quantity, sum(count)
    from counted_as
    group by quantity

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
