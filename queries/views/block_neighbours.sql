-- grain: one block and one cell whose mark comes (step 1) or goes (step -1), with the block then
create or replace view block_neighbours as
with
changed_blocks as (
    select
        placed_blocks.*,
        step,
        cell,
        bit,
        (ply % 2 = 0) = (step = 1) as is_circle,
        -- Marks of cross are no part of a block without gravity.
        case when gravity or is_circle then xor(mask, bit) else mask end as new_mask,
        -- What changes in the choice, and whether it has it now.
        case when is_circle = gravity then bit else 0 end as changed,
        step = -1 and changed <> 0 as is_chosen,
    from placed_blocks, game, places, unnest([1, -1]) as steps (step)
    where
        (mask & bit = 0) = (step = 1 or not gravity and not is_circle)
        -- The places of a column ascend from its top to its bottom.
        and (not gravity or step = -1 or y = rows - 1 or mask & (bit << 1) <> 0)
        and (not gravity or step = 1 or y = 0 or mask & (bit >> 1) = 0)
),

imaged as (
    select
        changed_blocks.*,
        list_transform(
            range(symmetries), lambda symmetry: index_image(new_mask, symmetry, pieces, images)
        ) as new_images,
        list_max(new_images) as new_block_mask,
    from changed_blocks, index_form
)

select
    imaged.ply,
    imaged.block,
    step,
    cell,
    changed,
    bit,
    is_chosen,
    new_block_mask,
    neighbours.block as new_block,
    list_filter(
        range(len(new_images)), lambda symmetry: new_images[symmetry + 1] = new_block_mask
    ) as symmetries,
from imaged
left join placed_blocks as neighbours
    on neighbours.ply = imaged.ply + step and neighbours.mask = new_block_mask;
