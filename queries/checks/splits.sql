-- question: Is each unfinished class in its place and split, and as hard, as rules and hash say?
-- grain: one class that is missing, not unfinished, or has another place, split or difficulty
-- examines: splits
with
legal as (
    select
        position,
        count(*) as moves,
        count(*) filter (not is_best) as wrong,
    from moves
    group by position
),

expected as (
    select
        class,
        classes.board,
        ply,
        score,
        ['train', 'validation', 'test'][
            greatest(
                (row_number() over (order by ply, score, sha256(classes.board)) - 1) % 10 - 6, 1
            )
        ] as split,
        wrong / moves as hardness,
    from classes
    join legal using (position)
    where status = 'playing'
),

placed as (
    select
        *,
        row_number() over () = row_number() over (order by class) as is_in_order,
    from splits
),

final as (
    select
        coalesce(splits.class, expected.class) as class,
        is_in_order,
        splits.board,
        expected.board as board_of_class,
        splits.split,
        expected.split as split_by_hash,
        splits.hardness,
        expected.hardness as hardness_by_moves,
    from placed as splits
    full join expected using (class)
    where
        (is_in_order, splits.board, splits.ply, splits.score, splits.split, splits.hardness)
        is distinct from
        (true, expected.board, expected.ply, expected.score, expected.split, expected.hardness)
)

from final
order by class
