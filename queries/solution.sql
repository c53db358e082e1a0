-- The solution of one game as views, and what SQL can read from its keys.
--
-- Read `views.sql` before it; for a game that is solved and has no tables DuckDB stops there at the
-- first of these, and everything that is needed here is there.

-- `marubatsu` takes the files that the manifest lists, and no others.
set variable parts = (
    select list(file order by file)
    from glob(getvariable('data') || '/solution/ply=*/*.parquet')
);

-- grain: one class of positions, as the files have it
-- needs: solution
create or replace view solution_files as
select *
from read_parquet(
    getvariable('parts'),
    hive_types = {'ply': 'tinyint'}
);

-- grain: one class that the views below read: every one, unless some are put in the place of this
-- needs: solution
create or replace view solution_rows as
from solution_files;

-- grain: one cell: what circle's mark adds to a key, and that of the cell to be filled first, or 0
create or replace view key_weights as
select
    cell,
    y,
    x * (rows + 1) as column_bit,
    case
        when gravity and rows <= 8 then 1::bigint << (column_bit + rows - 1 - y)
        else 1::bigint << 2 * cell
    end as weight,
    case
        when not gravity or y = rows - 1 then 0
        when rows <= 8 then weight >> 1
        else weight << 2 * columns
    end as below,
from cells, game;

-- grain: one cell: the same, and what the mark adds to the key of each image, by symmetry
create or replace view key_cells as
select
    key_weights.*,
    list(images.weight order by symmetry) as images,
from key_weights
join symmetry_cells using (cell)
join key_weights as images on symmetry_cells.image = images.cell
group by all;

-- grain: the game, as its keys are made
create or replace view key_form as
select
    misere,
    gravity and rows <= 8 as by_column,
    (select list(weight order by cell) from key_weights) as weights,
    (select sum(weight)::bigint from key_weights) as full_board,
    case
        when by_column then (select sum(weight)::bigint from key_weights where y = rows - 1) else 0
    end as empty_board,
    -- By column: its lowest bit, all its bits, and for all that these can hold those below the 1.
    (select list(column_bit) from key_weights where y = 0) as columns_at,
    (2 << rows) - 1 as column_bits,
    [(1 << floor(log2(held))::int) - 1 for held in range(1, 2 << rows)] as filled,
    -- Every line as the sum of its weights.
    (
        select list(line)
        from (
            select sum(weight)::bigint as line
            from line_cells
            join key_weights using (cell)
            group by line_cells.line
        )
    ) as lines,
    -- Every symmetry as a list of weights, and of those that they become.
    (
        select list(cells order by symmetry)
        from (
            select symmetry, list({'weight': weight, 'image': images[symmetry + 1]}) as cells,
            from key_cells, symmetry_cells
            where key_cells.cell = symmetry_cells.cell
            group by symmetry
        )
    ) as symmetries,
from game;

-- grain: one class of positions with its marks as sums of weights, and the keys of all its images
-- needs: solution
create or replace view solution_marks as
with
-- Step by step, because what a lambda uses is calculated anew for every element.
marked as (
    select
        solution_rows.*,
        key_form.*,
        case
            when by_column
                then list_sum(list_transform(
                    columns_at, lambda bit: filled[(key >> bit) & column_bits]::bigint << bit
                ))::bigint
            else (key | (key >> 1)) & full_board
        end as marks,
    from solution_rows, key_form
),

sided as (
    select
        *,
        case when by_column then key & marks else (key >> 1) & full_board end as crosses,
        case when by_column then marks - crosses else key & full_board end as circles,
    from marked
)

select
    *,
    list_transform(symmetries, lambda cells: empty_board + list_sum(
        list_transform(cells, lambda cell: case
            when circles & cell.weight <> 0 then cell.image
            when crosses & cell.weight <> 0 then 2 * cell.image
            else 0
        end)
    )::bigint) as keys,
from sided;

-- grain: one class and one of its legal moves, or none when it is finished
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

-- grain: what is alike in ply, end and score; how many positions and classes
-- needs: solution
create or replace view solution_tally as
select
    ply,
    case
        when distance > 0 then 'playing'
        else ['cross', 'draw', 'circle'][score + 2]
    end as status,
    score,
    null::boolean as critical,
    sum(orbit) as positions,
    count(*)::hugeint as classes,
    null::hugeint as nodes,
from solution
group by all;
