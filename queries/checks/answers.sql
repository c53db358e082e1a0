-- question: Is each kept answer possible, and does it follow from kept answers one move later?
-- grain: one answer that contradicts its board, the rules, or the answers after its moves
-- examines: answers
with
-- A greater value is better for the mover: a win in n plies is 64 - n, a loss in n plies is n - 64.
sided as (
    select
        *,
        score * (64 - distance) * case when ply % 2 = 0 then 1 else -1 end as value,
        case when ply % 2 = 0 then circles else crosses end as mover,
        case when ply % 2 = 0 then crosses else circles end as waiting,
        row_number() over () as answer,
    from answers, game
),

line_masks as (
    select bit_or(bit) as line_mask
    from line_cells
    group by line
),

marks as (
    select
        answer,
        string_agg(
            case when circles & bit <> 0 then 'o' when crosses & bit <> 0 then 'x' else '.' end,
            '' order by cell
        ) as board_of_masks,
    from sided, cells
    group by answer
),

moved as (
    select
        answer,
        cell,
        mover | bit as marked,
        waiting,
        ply + 1 = sided.cells as is_full,
        exists(select 1 from line_masks where (mover | bit) & line_mask = line_mask) as has_line,
    from sided
    join cells on (mover | waiting) & bit = 0
    where
        not gravity
        or y = rows - 1
        or (mover | waiting) & (bit << columns) <> 0
),

images as (
    select
        answer,
        moved.cell,
        sum(cells.bit) filter (marked & from_cell.bit <> 0) as marked_image,
        coalesce(sum(cells.bit) filter (waiting & from_cell.bit <> 0), 0) as waiting_image,
    from moved
    cross join symmetry_cells
    join cells on cells.cell = image
    join cells as from_cell on from_cell.cell = symmetry_cells.cell
    where not has_line and not is_full
    group by answer, moved.cell, symmetry
),

-- The answers show the member of a class with the smallest masks, circle's first.
after as (
    select
        answer,
        cell,
        min(
            case
                when ply % 2 = 0 then (marked_image, waiting_image)
                else (waiting_image, marked_image)
            end
        ) as masks,
    from images
    join sided using (answer)
    group by answer, cell
),

followed as (
    select
        moved.answer,
        case
            when has_line then case when game.misere then -63 else 63 end
            when is_full then 0
            else sign(kept.value) - kept.value -- One ply later for the other side.
        end as value_after,
    from moved
    cross join game
    left join after using (answer, cell)
    left join sided as kept on kept.circles = masks[1] and kept.crosses = masks[2]
),

judged as (
    select
        answer,
        max(value_after) as least,
        count(*) = count(value_after) as is_all,
    from followed
    group by answer
),

final as (
    select
        sided.ply,
        sided.circles,
        sided.crosses,
        sided.board,
        board_of_masks,
        score,
        distance,
        value,
        least,
        is_all,
    from sided
    join marks using (answer)
    left join judged using (answer)
    where
        sided.board <> board_of_masks
        or ply <> bit_count(mover) + bit_count(waiting)
        or bit_count(circles) - bit_count(crosses) <> ply % 2
        or is_all is null
        or value < least
        or exists(select 1 from line_masks where waiting & line_mask = line_mask)
        or is_all and value <> least
        or distance not between 1 and cells - ply
        or score = 0 and distance <> cells - ply
        -- Circle sets the odd marks; who sets the last one wins, in misere loses.
        or score <> 0 and (score = 1) <> ((ply + distance) % 2 = (not misere)::int)
)

from final
order by ply, circles, crosses
