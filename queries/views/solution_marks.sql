-- grain: one class with its marks as masks in the order of places
-- needs: solution
create or replace view solution_marks as
-- Step by step, because DuckDB recalculates what a lambda uses for every element.
with
numbered as (
    select
        solution_files.*,
        key // offsets[ply + 1] as block,
        key % offsets[ply + 1] as offset_in_block,
    from solution_files, index_form
    where value is not null
),

-- A join, because DuckDB would copy a list of all blocks for every 2,048 rows.
joined as (
    select
        numbered.*,
        placed_blocks.mask as block_mask,
        kept_by,
    from numbered
    left join placed_blocks using (ply, block)
),

-- After it, because what a join passes on is no longer constant.
placed as (
    select
        joined.*,
        index_form.*,
        choices_before[high_starts[ply + 1] + 1] + offset_in_block as choice_number,
    from joined, index_form
),

searched as (
    select
        *,
        case when gravity then block_mask else full_board & ~block_mask end as left_cells,
        -- A binary search: the last entry of the ply that does not count more choices before it.
        list_reduce(range(high_cells[ply + 1] - 1, -1, -1), lambda found, power: case
            when choices_before[found + (1 << power)] <= choice_number then found + (1 << power)
            else found
        end, high_starts[ply + 1] + 1) as half_number,
    from placed
),

halved as (
    select
        *,
        half_number - 1 - high_starts[ply + 1] as high,
        lows[low_starts[chosen[ply + 1] - bit_count(high) + 1]
            + choice_number - choices_before[half_number] + 1] as low,
        (high << half) | low as packed_choice,
    from searched
),

chosen as (
    select
        *,
        list_sum(list_transform(pieces, lambda piece: unpacked[
            64 * (left_cells >> 6 * piece & 63)
            + (packed_choice >> bit_count(left_cells & (1::bigint << 6 * piece) - 1) & 63) + 1
        ] << 6 * piece))::bigint as choice,
    from halved
),

kept as (
    select
        *,
        -- The other rows of the block that show the class.
        list_transform(kept_by, lambda symmetry:
            list_sum(list_transform(pieces, lambda piece:
                images[64 * (len(pieces) * symmetry + piece) + (choice >> 6 * piece & 63) + 1]
            ))::bigint
        ) as kept_choices,
    from chosen
)

select
    ply,
    key,
    value,
    block,
    block_mask,
    choice,
    case when gravity then choice else block_mask end as circles,
    case when gravity then block_mask & ~choice else choice end as crosses,
    len(kept_by) > 0 as is_in_symmetric_block,
    coalesce(choice <= list_min(kept_choices), true) as is_smallest,
    (symmetries // (1 + len(list_filter(kept_choices, lambda other: other = choice))))::tinyint
        as orbit,
from kept;
