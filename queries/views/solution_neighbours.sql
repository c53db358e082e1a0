-- grain: one class and one cell whose mark comes (step 1) or goes (step -1), with the class then
create or replace view solution_neighbours as
with
moved as (
    select
        classes.ply,
        classes.key,
        value,
        step,
        cell,
        new_block,
        new_block_mask,
        symmetries as shown_by,
        xor(choice, changed) as new_choice,
    from solution_marks as classes
    join block_neighbours as neighbours
        on neighbours.ply = classes.ply and neighbours.block = classes.block
    where (choice & bit <> 0) = is_chosen
),

smallest_choices as (
    select
        moved.*,
        index_form.*,
        ply + step as new_ply,
        case when gravity then new_block_mask else full_board & ~new_block_mask end as left_cells,
        list_min(list_transform(
            shown_by, lambda symmetry: index_image(new_choice, symmetry, pieces, images)
        )) as choice,
    from moved, index_form
),

packed as (
    select
        *,
        list_sum(list_transform(pieces, lambda piece: packed[
            64 * (left_cells >> 6 * piece & 63) + (choice >> 6 * piece & 63) + 1
        ] << bit_count(left_cells & (1::bigint << 6 * piece) - 1)))::bigint as packed_choice,
    from smallest_choices
)

select
    ply,
    key,
    value,
    step,
    cell,
    new_ply,
    new_block * offsets[new_ply + 1]
        + choices_before[high_starts[new_ply + 1] + (packed_choice >> half) + 1]
        - choices_before[high_starts[new_ply + 1] + 1]
        + low_ranks[(packed_choice & (1::bigint << half) - 1) + 1] as new_key,
from packed;
