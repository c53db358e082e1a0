-- grain: one class with its marks as masks in the order of places
create or replace view solution_marks as
-- Step by step, because DuckDB recalculates what a lambda uses for every element.
with
numbered as (
    select
        solution_files.*,
        key // offsets[ply + 1] as block,
    from solution_files, index_form
    where value is not null
),

-- A join, because DuckDB would copy a list of all blocks for every 2,048 rows.
joined as (
    select
        numbered.*,
        placed_blocks.mask as block_mask,
        left_cells,
        kept_by,
    from numbered
    left join placed_blocks using (ply, block)
),

-- After it, because what a join passes on is no longer constant.
placed as (
    select
        joined.*,
        index_form.*,
        choices_before[high_starts[ply + 1] + 1] + key % offsets[ply + 1] as choice_number,
    from joined, index_form
),

searched as (
    select
        *,
        index_half(choice_number, ply, high_cells, high_starts, choices_before) as half_number,
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

with_choices as (
    select *, index_choice(packed_choice, left_cells, pieces, unpacked) as choice from halved
),

kept as (
    select
        *,
        -- The other rows of the block that show the class.
        list_transform(kept_by, lambda symmetry: index_image(choice, symmetry, pieces, images))
            as kept_choices,
    from with_choices
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
    -- Few blocks are symmetric, so an orbit alone needs the choice of few rows. A lambda over a list
    -- of one element is a step here, because DuckDB takes it only in rows that reach this branch.
    case
        when len(kept_by) = 0 then symmetries
        else list_transform(
            [choices_before[high_starts[ply + 1] + 1] + key % offsets[ply + 1]],
            lambda number: list_transform(
                [index_half(number, ply, high_cells, high_starts, choices_before)],
                lambda high_number: list_transform(
                    [
                        (high_number - 1 - high_starts[ply + 1] << half) | lows[low_starts[
                            chosen[ply + 1] - bit_count(high_number - 1 - high_starts[ply + 1]) + 1
                        ] + number - choices_before[high_number] + 1]
                    ],
                    lambda packed: list_transform(
                        [index_choice(packed, left_cells, pieces, unpacked)],
                        lambda own: symmetries // (1 + len(list_filter(
                            kept_by,
                            lambda symmetry: index_image(own, symmetry, pieces, images) = own
                        )))
                    )[1]
                )[1]
            )[1]
        )[1]
    end::tinyint as orbit,
from kept;
