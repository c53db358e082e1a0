-- grain: one block of a solution in the order of places, and the symmetries that keep it as it is
create or replace view placed_blocks as
with
placed as (
    select
        blocks.ply,
        block,
        -- Without gravity the place of a cell is its number.
        case
            when gravity then list_sum(list_transform(
                bits, lambda bit, cell: (mask >> (cell - 1) & 1) * bit
            ))::bigint
            else mask::bigint
        end as placed,
    from blocks, game, (select list(bit order by cell) as bits from places)
),

imaged as (
    select
        ply,
        block,
        placed as mask,
        case when gravity then placed else full_board & ~placed end as left_cells,
        list_transform(
            range(symmetries), lambda symmetry: index_image(placed, symmetry, pieces, images)
        ) as own_images,
    from placed, index_form
)

select
    ply,
    block,
    mask,
    left_cells,
    list_max(own_images) as greatest,
    -- The identity is the first symmetry.
    list_filter(
        range(1, len(own_images)), lambda symmetry: own_images[symmetry + 1] = mask
    ) as kept_by,
from imaged;
