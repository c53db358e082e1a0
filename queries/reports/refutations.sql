-- question: Which shortest line beats each AI that does not solve the game weakly?
-- grain: one AI on one side, with the first of the shortest lines that it loses
with
losses as (
    select
        ai,
        side,
        line,
        ai_reached.ply,
        positions.board,
    from ai_reached
    join positions using (position)
    where status not in (side, 'draw', 'playing')
    qualify row_number() over (partition by ai, side order by ai_reached.ply, line) = 1
),

final as (
    select
        ai,
        side,
        ply as length,
        -- The moves: a digit of the line is cell + 1.
        list_transform(
            string_split(line::varchar, ''), lambda digit: digit::int - 1
        ) as moves,
        board as final_board,
    from losses
)

from final
order by ai, side
