-- The tables of one game as views, and what SQL can say of its board without any table.
--
-- `marubatsu` sets the first two variables itself. In another DuckDB, from any working directory:
--     set variable data = 'path/to/data/tictactoe';
--     set variable reference = 'path/to/queries/reference';
--     .read path/to/queries/views.sql
-- A view exists only where the tables that it needs are built; those of the trees stand last, so
-- that for a game without them everything above is there when DuckDB stops at the missing file.
-- For a game that is solved, `.read path/to/queries/solution.sql` after it.

-- A file whose footer names the game.
set variable footer = (
    select min(file)
    from glob(getvariable('data') || '/**/p[ao][rs]*.parquet') -- positions, or a part
);

-- grain: the game that the tables belong to, read from its notation in a file's footer
create or replace view game as
with notation as (
    select decode(value) as notation
    from parquet_kv_metadata(getvariable('footer'))
    where decode(key) = 'marubatsu.game'
)
select
    notation,
    regexp_extract(notation, '^(\d+)x(\d+)k(\d+)', 1)::int as columns,
    regexp_extract(notation, '^(\d+)x(\d+)k(\d+)', 2)::int as rows,
    regexp_extract(notation, '^(\d+)x(\d+)k(\d+)', 3)::int as run,
    notation like '%-gravity%' as gravity,
    notation like '%-misere%' as misere,
    columns * rows as cells,
from notation;

-- grain: one exact count of one game, with its source; ply is null for a total
create or replace view known_counts as
select * from read_csv(
    getvariable('reference') || '/known_counts.csv',
    header = true,
    columns = {
        'game': 'varchar', 'quantity': 'varchar', 'ply': 'int', 'count': 'bigint',
        'source': 'varchar',
    }
);

-- grain: one known count of the game that the tables belong to
create or replace view known_counts_here as
select known_counts.*
from known_counts, game
where case known_counts.game when 'tictactoe' then '3x3k3' else known_counts.game end = notation;

-- grain: one quantity of the game, at a ply or, where that is null, in all; of what `tally` counts
create or replace macro quantities(tally) as table
with
counted as (
    select
        ply,
        status,
        score,
        critical,
        unnest(['positions', 'classes', 'nodes']) as things,
        unnest([positions, classes, nodes]) as count,
    from query_table(tally)
),

kinds as (
    select
        ply,
        count,
        unnest(case things
            when 'nodes' then [
                {'quantity': 'nodes', 'is_so': true},
                {'quantity': 'nodes made by a move', 'is_so': ply > 0},
                {'quantity': 'games', 'is_so': status <> 'playing'},
                {'quantity': 'games won by circle', 'is_so': status = 'circle'},
                {'quantity': 'games won by cross', 'is_so': status = 'cross'},
                {'quantity': 'games drawn', 'is_so': status = 'draw'},
            ]
            else [
                {'quantity': things, 'is_so': true},
                {'quantity': things || ' with score +1', 'is_so': score = 1},
                {'quantity': things || ' with score 0', 'is_so': score = 0},
                {'quantity': things || ' with score -1', 'is_so': score = -1},
                {'quantity': 'unfinished ' || things, 'is_so': status = 'playing'},
                {'quantity': 'critical ' || things, 'is_so': critical},
                {'quantity': 'finished ' || things, 'is_so': status <> 'playing'},
                {'quantity': 'finished ' || things || ' won by circle', 'is_so': status = 'circle'},
                {'quantity': 'finished ' || things || ' won by cross', 'is_so': status = 'cross'},
                {'quantity': 'finished ' || things || ' drawn', 'is_so': status = 'draw'},
            ]
        end, recursive := true),
    from counted
),

summed as (
    select
        quantity,
        ply,
        sum(count * is_so::int) as count,
    from kinds
    group by grouping sets ((quantity, ply), (quantity))
)

-- What the tally leaves open is not there.
from summed
where count is not null

union all

select 'value', null, score
from query_table(tally)
where ply = 0

union all

-- Lines of play that ignore wins: the cells in any order.
select
    'nodes without stopping at wins',
    null,
    sum(factorial(cells::int) // factorial((cells - ply)::int)),
from game, unnest(range(cells + 1)) as numbers (ply)
where not gravity and cells <= 20;

-- grain: one cell of the board
create or replace view cells as
select
    cell,
    cell % columns as x,
    cell // columns as y,
    1::bigint << cell as bit,
from game, unnest(range(cells)) as numbers (cell);

-- grain: one cell of one line, a line being a run of cells that decides the game
create or replace view line_cells as
with
directions (dx, dy) as (
    values (1, 0), (0, 1), (1, 1), (-1, 1)
),

lines as (
    select distinct
        x,
        y,
        -- A line of one cell is the same in every direction.
        case when run = 1 then 0 else dx end as dx,
        case when run = 1 then 0 else dy end as dy,
    from game, cells, directions
    where x + dx * (run - 1) between 0 and columns - 1 and y + dy * (run - 1) < rows
)

select
    [lines.x, lines.y, dx, dy] as line,
    cells.cell,
    cells.bit,
from game, lines, unnest(range(run)) as steps (step)
join cells on cells.x = lines.x + dx * step and cells.y = lines.y + dy * step;

-- grain: one symmetry of the board and one cell: where the cell goes
create or replace view symmetry_cells as
select
    symmetry,
    cell,
    case symmetry
        when 0 then x + columns * y
        when 1 then (columns - 1 - x) + columns * y
        when 2 then x + columns * (rows - 1 - y)
        when 3 then (columns - 1 - x) + columns * (rows - 1 - y)
        when 4 then y + columns * x
        when 5 then (columns - 1 - y) + columns * x
        when 6 then y + columns * (rows - 1 - x)
        when 7 then (columns - 1 - y) + columns * (rows - 1 - x)
    end as image,
from game, cells, unnest(range(8)) as numbers (symmetry)
where symmetry < case when gravity then 2 when columns = rows then 8 else 4 end;

-- grain: one reachable position
-- needs: positions
create or replace view positions as
select * from read_parquet(getvariable('data') || '/positions.parquet');

-- grain: one class of positions that are images of each other
-- needs: classes
create or replace view classes as
select * from read_parquet(getvariable('data') || '/classes.parquet');

-- grain: one legal move in one position
-- needs: moves
create or replace view moves as
select * from read_parquet(getvariable('data') || '/moves.parquet');

-- grain: what is alike in ply, end, score and critical; how many positions, classes, nodes
-- needs: positions, classes
create or replace view table_tally as
select
    ply,
    status,
    score,
    critical,
    sum(positions) as positions,
    sum(classes) as classes,
    sum(nodes) as nodes,
from (
    select ply, status, score, critical, 1 as positions, 0 as classes, nodes
    from positions

    union all

    select ply, status, score, critical, 0, 1, 0
    from classes
)
group by all;

-- grain: one quantity of the game, at a ply or, where that is null, in all, as the tables have it
-- needs: positions, classes, moves
create or replace view table_quantities as
with recursive
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
from openings;

-- grain: one node of the full tree, numbered breadth first
-- needs: tree_bfs
create or replace view tree_bfs as
select * from read_parquet(getvariable('data') || '/tree_bfs.parquet');

-- grain: one node of the full tree, numbered depth first
-- needs: tree_dfs
create or replace view tree_dfs as
select * from read_parquet(getvariable('data') || '/tree_dfs.parquet');

-- grain: one node of the full tree with everything known of its position
-- needs: tree_bfs
create or replace view nodes as
select
    tree_bfs.*,
    positions.* exclude (position, ply),
from tree_bfs
join positions using (position);

-- grain: one node of one of the two trees
-- needs: tree_bfs, tree_dfs
create or replace view trees as
select 'tree_bfs' as tree, * from tree_bfs
union all
select 'tree_dfs' as tree, * from tree_dfs;

-- grain: one published node count of alpha-beta; drawn: one sample of a random one
create or replace view published_nodes as
select * replace (nullif(ordering, '') as ordering)
from read_csv(
    getvariable('reference') || '/published_nodes.csv',
    header = true,
    columns = {
        'scope': 'varchar', 'ordering': 'varchar', 'order_all': 'boolean',
        'shortest_victory': 'boolean', 'init_window': 'boolean', 'use_table': 'boolean',
        'drawn': 'boolean', 'nodes': 'int', 'source': 'varchar', 'note': 'varchar',
    }
);

-- grain: one published result of AI against AI, a sample of games
create or replace view published_matches as
select * from read_csv(
    getvariable('reference') || '/published_matches.csv',
    header = true,
    columns = {
        'ai': 'varchar', 'opponent': 'varchar', 'side': 'varchar', 'games': 'int',
        'win_percent': 'double', 'lose_percent': 'double', 'draw_percent': 'double',
        'source': 'varchar', 'note': 'varchar',
    }
);

-- grain: one AI whose verdict is published
create or replace view published_verdicts as
select * from read_csv(
    getvariable('reference') || '/published_verdicts.csv',
    header = true,
    columns = {
        'ai': 'varchar', 'critical_classes_right': 'int', 'critical_positions_right': 'int',
        'weakly_solved': 'boolean', 'source': 'varchar',
    }
);

-- grain: one AI
-- needs: ais
create or replace view ais as
select * from read_parquet(getvariable('data') || '/ais.parquet');

-- grain: one legal move in one unfinished position, as one AI sees it
-- needs: ai_moves
create or replace view ai_moves as
select * from read_parquet(getvariable('data') || '/ai_moves.parquet');

-- grain: one blunder: a move that an AI may choose in a position and that is not a best move
-- needs: ai_moves
create or replace view blunders as
select
    ai_moves.ai,
    ai_moves.position,
    ai_moves.move,
    ai_moves.probability,
    moves.child,
    moves.loss,
from ai_moves
join moves using (position, move)
where is_candidate and not is_best;

-- grain: one AI as one side, and one position that it can come to against any opponent
-- needs: ai_moves
create or replace view ai_reached as
with recursive
-- One step is one ply, so that a position is met once, with its first line in order of the digits.
reached as (
    select
        ai,
        side,
        0 as ply,
        0::bigint as position,
        0::bigint as line,
    from (select distinct ai from ai_moves) as names,
        (values ('circle'), ('cross')) as sides (side)

    union all

    select
        reached.ai,
        reached.side,
        reached.ply + 1 as ply,
        moves.child as position,
        min(reached.line * 10 + moves.move + 1) as line,
    from reached
    join positions using (position)
    join moves using (position)
    left join ai_moves
        on reached.ai = ai_moves.ai
        and reached.position = ai_moves.position
        and moves.move = ai_moves.move
    where (positions.turn <> reached.side or ai_moves.is_candidate) and reached.ply < 9
    group by reached.ai, reached.side, reached.ply, moves.child
)

from reached;

-- grain: one AI as circle against one AI as cross
-- needs: matches
create or replace view matches as
select * from read_parquet(getvariable('data') || '/matches.parquet');

-- grain: one search of one unfinished class representative
-- needs: searches
create or replace view searches as
select * from read_parquet(getvariable('data') || '/searches.parquet');

-- grain: one search with its options, as they stand in its first row
-- needs: searches
create or replace view search_options as
select distinct on (search)
    * exclude (position, score, nodes),
from searches
order by search, position;

-- grain: one event of a search from the empty board
-- needs: search_trace
create or replace view search_trace as
select * from read_parquet(getvariable('data') || '/search_trace.parquet');

-- grain: one alpha-beta search with one seed, from the empty board or summed over critical classes
-- needs: searches
create or replace view ordering_counts as
select
    unnest(case
        when searches.position = 0 and critical then ['empty board', 'critical classes']
        when searches.position = 0 then ['empty board']
        else ['critical classes']
    end) as scope,
    search,
    any_value(ordering) as ordering,
    any_value(order_all) as order_all,
    any_value(shortest_victory) as shortest_victory,
    any_value(init_window) as init_window,
    any_value(use_table) as use_table,
    any_value(seed) as seed,
    any_value(seed) is not null as drawn,
    sum(searches.nodes) as nodes,
from searches
join positions using (position)
where algorithm = 'alphabeta' and (searches.position = 0 or critical)
group by scope, search;

-- grain: one position: the fewest nodes that any alpha-beta search without a table must visit
-- needs: moves
create or replace view least_nodes as
with recursive
-- To prove that a score is at least v takes one good move of circle and every move of cross; at
-- most v, the other way round. Null: it is not so.
sizes as (
    select
        position,
        ply,
        score,
        case when score >= 1 then 1::bigint end as at_least_1,
        case when score >= 0 then 1::bigint end as at_least_0,
        1::bigint as at_least_minus_1,
        1::bigint as at_most_1,
        case when score <= 0 then 1::bigint end as at_most_0,
        case when score <= -1 then 1::bigint end as at_most_minus_1,
        1::bigint as exact,
    from positions
    where ply = (select max(ply) from positions)

    union all

    select
        parent.position,
        any_value(parent.ply) as ply,
        any_value(parent.score) as parent_score,
        case any_value(parent.turn)
            when 'circle' then 1 + min(ge_1)
            when 'cross' then case when count(ge_1) = count(*) then 1 + sum(ge_1) end
            else case when parent_score >= 1 then 1 end
        end::bigint,
        case any_value(parent.turn)
            when 'circle' then 1 + min(ge_0)
            when 'cross' then case when count(ge_0) = count(*) then 1 + sum(ge_0) end
            else case when parent_score >= 0 then 1 end
        end::bigint,
        case any_value(parent.turn)
            when 'circle' then 1 + min(ge_minus_1)
            when 'cross' then 1 + sum(ge_minus_1)
            else 1
        end::bigint,
        case any_value(parent.turn)
            when 'cross' then 1 + min(le_1)
            when 'circle' then 1 + sum(le_1)
            else 1
        end::bigint,
        case any_value(parent.turn)
            when 'cross' then 1 + min(le_0)
            when 'circle' then case when count(le_0) = count(*) then 1 + sum(le_0) end
            else case when parent_score <= 0 then 1 end
        end::bigint,
        case any_value(parent.turn)
            when 'cross' then 1 + min(le_minus_1)
            when 'circle'
                then case when count(le_minus_1) = count(*) then 1 + sum(le_minus_1) end
            else case when parent_score <= -1 then 1 end
        end::bigint,
        -- One best move is searched exactly, of all others it is proved that they are no better.
        coalesce(
            1 + sum(no_better) + min(case when child_score = parent.score then exact - no_better end),
            1
        )::bigint,
    from positions as parent
    left join moves on parent.position = moves.position
    left join (
        select
            position,
            score as child_score,
            at_least_1 as ge_1,
            at_least_0 as ge_0,
            at_least_minus_1 as ge_minus_1,
            at_most_1 as le_1,
            at_most_0 as le_0,
            at_most_minus_1 as le_minus_1,
            exact,
        from sizes
    ) as child on moves.child = child.position
    cross join lateral (
        select
            case
                when parent.turn = 'circle' and parent.score = 1 then le_1
                when parent.turn = 'circle' and parent.score = 0 then le_0
                when parent.turn = 'circle' then le_minus_1
                when parent.score = 1 then ge_1
                when parent.score = 0 then ge_0
                else ge_minus_1
            end as no_better
    ) as proof
    where parent.ply = (select max(sizes.ply) from sizes) - 1
    group by parent.position
)

select
    position,
    ply,
    score,
    exact as nodes,
from sizes;

-- grain: one position: the nodes of the full tree at and below each of its nodes
-- needs: moves
create or replace view subtree_sizes as
with recursive
sizes as (
    select
        position,
        ply,
        1::bigint as nodes_below,
    from positions
    where ply = (select max(ply) from positions)

    union all

    select
        parent.position,
        any_value(parent.ply),
        (1 + coalesce(sum(child.nodes_below), 0))::bigint,
    from positions as parent
    left join moves on parent.position = moves.position
    left join sizes as child on moves.child = child.position
    where parent.ply = (select max(sizes.ply) from sizes) - 1
    group by parent.position
)

select
    position,
    nodes_below,
from sizes;
