-- grain: one class with its marks as sums of weights, and the keys of all its images
-- needs: solution
create or replace view solution_marks as
with
-- Step by step, because DuckDB recalculates what a lambda uses for every element.
marked as (
    select
        solution_files.*,
        key_form.*,
        case
            when by_column
                then list_sum(list_transform(
                    columns_at, lambda bit: filled[(key >> bit) & column_bits]::bigint << bit
                ))::bigint
            else (key | (key >> 1)) & full_board
        end as marks,
    from solution_files, key_form
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
