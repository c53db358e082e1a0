-- question: Are positions numbered in the order in which breadth-first building creates them?
-- grain: one position with a wrong number
-- examines: positions
with
-- A position is first created from its parent with the smallest number.
created as (
    select
        child as position,
        min_by((position, move), (position, move)) as first_way,
    from moves
    group by child
),

final as (
    select
        positions.position,
        positions.board,
        row_number() over (order by ply, created.first_way nulls first) - 1 as expected,
    from positions
    left join created using (position)
    qualify positions.position <> expected
)

from final
order by position
