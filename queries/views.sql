-- The tables of one game as views, and what SQL can say of its board without any table.
--
-- `marubatsu` sets the two variables itself. In another DuckDB, from any working directory:
--     set variable data = 'path/to/data/tictactoe';
--     set variable known_counts = 'path/to/known_counts.csv';
--     .read path/to/queries/views.sql
-- A view exists only where the tables that it needs are built; those of the trees stand last, so
-- that for a game without them everything above is there when DuckDB stops at the missing file.

-- grain: the game that the tables belong to, read from its notation in a file's footer
-- needs: positions
create or replace view game as
with notation as (
    select decode(value) as notation
    from parquet_kv_metadata(getvariable('data') || '/positions.parquet')
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

-- grain: one exact count of one game, with its source; ply is null for a total
create or replace view known_counts as
select * from read_csv(
    getvariable('known_counts'),
    header = true,
    columns = {
        'game': 'varchar', 'quantity': 'varchar', 'ply': 'int', 'count': 'bigint',
        'source': 'varchar',
    }
);

-- grain: one known count of the game that the tables belong to
-- needs: positions
create or replace view known_counts_here as
select known_counts.*
from known_counts, game
where case known_counts.game when 'tictactoe' then '3x3k3' else known_counts.game end = notation;

-- grain: one cell of the board
-- needs: positions
create or replace view cells as
select
    cell,
    cell % columns as x,
    cell // columns as y,
    1::bigint << cell as bit,
from game, unnest(range(cells)) as numbers (cell);

-- grain: one cell of one line, a line being a run of cells that decides the game
-- needs: positions
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
-- needs: positions
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
