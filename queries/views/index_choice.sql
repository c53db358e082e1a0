-- grain: the mask of a choice that is packed among the cells left, with lists of index_form
create or replace macro index_choice(packed_choice, left_cells, pieces, unpacked) as
list_sum(list_transform(pieces, lambda piece: unpacked[
    64 * (left_cells >> 6 * piece & 63)
    + (packed_choice >> bit_count(left_cells & (1::bigint << 6 * piece) - 1) & 63) + 1
] << 6 * piece))::bigint;
