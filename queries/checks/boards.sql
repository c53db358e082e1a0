-- question: Do the masks, text, ply, turn and status of each position agree?
-- grain: one position whose columns contradict each other or the rules
-- examines: positions
with
marks as (
    select
        position,
        string_agg(
            case
                when circles & bit <> 0 and crosses & bit <> 0 then '?'
                when circles & bit <> 0 then 'o'
                when crosses & bit <> 0 then 'x'
                else '.'
            end,
            '' order by cell
        ) as board,
    from positions, cells
    group by position
),

line_masks as (
    select
        line,
        bit_or(bit) as line_mask,
    from line_cells
    group by line
),

won as (
    select
        position,
        bool_or(circles & line_mask = line_mask) as circle_has_line,
        bool_or(crosses & line_mask = line_mask) as cross_has_line,
    from positions, line_masks
    group by position
),

derived as (
    select
        position,
        marks.board,
        length(replace(marks.board, '.', '')) as ply,
        length(replace(replace(marks.board, '.', ''), 'x', '')) as circle_count,
        case
            when circle_has_line and cross_has_line then null
            when circle_has_line then result_of_circle_line
            when cross_has_line then result_of_cross_line
            when marks.board not like '%.%' then result_of_full_board
            else 'playing'
        end as status,
        case
            when status <> 'playing' then null
            when ply % 2 = 0 then 'circle'
            else 'cross'
        end as turn,
    from marks
    join won using (position)
    cross join game
),

final as (
    select
        positions.position,
        positions.board,
        derived.board as board_of_masks,
        positions.ply,
        positions.turn,
        positions.status,
        derived.ply as ply_of_masks,
        derived.turn as turn_of_masks,
        derived.status as status_of_masks,
        derived.circle_count,
    from positions
    left join derived using (position)
    where
        (positions.board, positions.ply, positions.turn, positions.status)
        is distinct from
        (derived.board, derived.ply, derived.turn, derived.status)
        or derived.circle_count <> (derived.ply + 1) // 2
        or derived.board like '%?%'
)

from final
order by position
