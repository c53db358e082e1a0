-- question: Is each block the greatest of its images, with the right marks, and after a smaller one?
-- grain: one block that is not in its place
-- examines: blocks
-- for each: ply
with
ordered as (
    select
        *,
        row_number() over (order by block) - 1 as expected_block,
        lag(mask, 1, -1) over (order by block) as mask_before,
    from placed_blocks
    where ply = getvariable('ply')
),

-- The places of a column ascend from its top to its bottom.
above as (
    select sum(bit)::bigint as not_at_the_bottom
    from places, game
    where gravity and y < rows - 1
),

final as (
    select
        ply,
        block,
        expected_block,
        mask,
        greatest,
        mask_before,
        bit_count(mask) as marks,
        coalesce(mask & not_at_the_bottom & ~(mask >> 1), 0) as floating,
    from ordered, above
    where
        (block, greatest, marks, floating, mask_before < mask)
        is distinct from
        (expected_block, mask, (select marks from ply_shapes where ply = ordered.ply), 0, true)
)

from final
order by block
