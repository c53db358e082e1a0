-- grain: the image of a mask in the order of places under a symmetry, with lists of index_form
create or replace macro index_image(mask, symmetry, pieces, images) as
list_sum(list_transform(pieces, lambda piece:
    images[64 * (len(pieces) * symmetry + piece) + (mask >> 6 * piece & 63) + 1]
))::bigint;
