-- question: Is each chance of random play the mean of the children's chances?
-- grain: one position where it is not, beyond rounding in the last digits
-- examines: positions
with
derived as (
    select
        moves.position,
        avg(after.random_circle) as random_circle,
        avg(after.random_draw) as random_draw,
        avg(after.random_cross) as random_cross,
    from moves
    join positions as after on moves.child = after.position
    group by moves.position

    union all

    select
        position,
        (status = 'circle')::double,
        (status = 'draw')::double,
        (status = 'cross')::double,
    from positions
    where status <> 'playing'
),

final as (
    select
        positions.position,
        positions.board,
        positions.random_circle,
        positions.random_draw,
        positions.random_cross,
        derived.random_circle as derived_circle,
        derived.random_draw as derived_draw,
        derived.random_cross as derived_cross,
    from positions
    left join derived using (position)
    where
        (
            abs(positions.random_circle - derived.random_circle) < 1e-14
            and abs(positions.random_draw - derived.random_draw) < 1e-14
            and abs(positions.random_cross - derived.random_cross) < 1e-14
            and abs(
                positions.random_circle + positions.random_draw + positions.random_cross - 1
            ) < 1e-14
        ) is not true
)

from final
order by position
