-- question: Are positions, classes and moves in the order of their keys?
-- grain: one row that is in another place
-- examines: moves
with
placed as (
    select
        'positions' as relation,
        position,
        null::int as move,
        row_number() over () as place,
    from positions

    union all

    select
        'classes' as relation,
        position,
        null::int as move,
        row_number() over () as place,
    from classes

    union all

    select
        'moves' as relation,
        position,
        move,
        row_number() over () as place,
    from moves
),

final as (
    select
        relation,
        position,
        board,
        move,
        place,
    from placed
    left join positions using (position)
    qualify place <> row_number() over (partition by relation order by position, move)
)

from final
order by relation, position, move, place
