-- grain: the game, with lists for reckoning in the index of a solution
-- A table, because DuckDB would plan and make the lists of a view again wherever it is read.
create or replace table index_form as
-- DuckDB reads an element of a list in some nanoseconds, and only the lists that a select uses. A
-- join would take longer, also where a query does not use its columns. Masks are in the order
-- of places, cut into pieces of six: element 64 * a + b + 1 of a list is for the pieces a and b.
with
image_bits as (
    select
        symmetry,
        list(images.bit order by places.place) as bits,
    from symmetry_cells
    join places using (cell)
    join places as images on images.cell = image
    group by symmetry
),

image_pieces as (
    select
        symmetry,
        piece,
        subset,
        list_sum(list_transform(
            bits[6 * piece + 1:6 * piece + 6], lambda bit, i: bit * (subset >> (i - 1) & 1)
        ))::bigint as image,
    from image_bits, game, unnest(range((cells + 5) // 6)) as pieces (piece),
        unnest(range(64)) as contents (subset)
),

counted_pairs as (
    select
        64 * among + subset as number,
        list_filter(range(6), lambda bit: among >> bit & 1 = 1) as cells,
        -- A subset of some cells as a number, and that number as a subset.
        list_transform(cells, lambda bit, i: (subset >> bit & 1) << (i - 1)) as packed_bits,
        list_transform(cells, lambda bit, i: (subset >> (i - 1) & 1) << bit) as unpacked_bits,
        coalesce(list_sum(packed_bits), 0)::bigint as packed,
        coalesce(list_sum(unpacked_bits), 0)::bigint as unpacked,
    from unnest(range(64)) as alls (among), unnest(range(64)) as contents (subset)
),

lows as (
    select
        low,
        row_number() over (order by bit_count(low), low) - 1 as number,
        row_number() over (partition by bit_count(low) order by low) - 1 as rank,
    from game, unnest(range(1 << ((cells + 1) // 2))) as contents (low)
)

select
    misere,
    gravity,
    cells,
    (cells + 1) // 2 as half,
    (1::bigint << cells) - 1 as full_board,
    range((cells + 5) // 6) as pieces,
    -- By ply.
    (select list(k order by ply) from ply_shapes) as chosen,
    (select list(offsets order by ply) from ply_shapes) as offsets,
    (select list(bit order by cell) from places) as bits,
    (select list(line) from (
        select sum(places.bit)::bigint as line from line_cells join places using (cell)
        group by line_cells.line
    )) as lines,
    (select count(*) from image_bits) as symmetries,
    (select list(image order by symmetry, piece, subset) from image_pieces) as images,
    (select list(packed order by number) from counted_pairs) as packed,
    (select list(unpacked order by number) from counted_pairs) as unpacked,
    -- The lower cells of choices, by their number and then by their mask.
    (select list(low order by number) from lows) as lows,
    (select list(rank order by low) from lows) as low_ranks,
    (select list(first order by marks) from (
        select bit_count(low) as marks, min(number) as first from lows group by all
    )) as low_starts,
    -- The higher cells, of all plies one after the other.
    (select list(choices_before order by ply, high) from choice_halves) as choices_before,
    (select list(first order by ply) from (
        select ply, (sum(count(*)) over (order by ply) - count(*))::bigint as first
        from choice_halves group by ply
    )) as high_starts,
    (select list(greatest(0, m - (cells + 1) // 2) order by ply) from ply_shapes) as high_cells,
from game
-- Only a game with a solution has an index.
where exists (select 1 from blocks);
