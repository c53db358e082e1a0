-- grain: the key of the class of a board, in the ply that the board has
create or replace macro solution_key(board) as (
    with
    marked as (
        select
            place,
            bit,
            substr(board_of_class, cell + 1, 1) as mark,
            mark = 'o' or gravity and mark = 'x' as is_block,
            mark = case when gravity then 'o' else 'x' end as is_choice,
            mark <> '.' as is_mark,
            is_block = gravity as is_left,
        from game, places, (select representative(board) as board_of_class)
    ),

    summed as (
        select
            coalesce(sum(bit) filter (is_block), 0) as block_mask,
            count(*) filter (is_mark) as ply,
        from marked
    ),

    -- The i-th cell of the choice, with c cells left before it, has C(c, i) smaller choices.
    smaller_choices as (
        select choose(c, i) as smaller,
        from (
            select
                is_choice,
                sum(is_left::int) over (order by place) - 1 as c,
                sum(is_choice::int) over (order by place) as i,
            from marked
        )
        where is_choice
    )

    select
        (
            select block from placed_blocks
            where placed_blocks.ply = summed.ply and mask = block_mask
        ) * offsets + coalesce((select sum(smaller) from smaller_choices), 0)::bigint,
    from summed
    join ply_shapes using (ply)
);
