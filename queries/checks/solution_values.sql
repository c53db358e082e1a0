-- question: Does the value of every class follow from the classes that its moves lead to?
-- grain: one class whose value does not follow, or that no move leads to
-- needs: solution
-- examines: solution_files
-- for each: ply
with
-- The greater a value, the better: to win in n plies is 64 - n, to lose in n plies n - 64.
valued as (
    select
        *,
        case
            when score <> 0 then score * (64 - distance)
            when score = 0 and distance = len(weights) - ply then 0
        end as value,
        case when ply % 2 = 0 then crosses else circles end as waiting,
    from solution_marks
    where ply = getvariable('ply')
),

here as (
    select
        *,
        len(list_filter(lines, lambda line: waiting & line = line)) > 0 as has_line,
        case
            when has_line and misere then 64
            when has_line then -64
            when marks = full_board then 0
        end as value_at_end,
    from valued
),

moves as (
    select
        here.ply,
        here.key,
        here.value,
        here.value_at_end,
        list_min(list_transform(
            list_zip(keys, images), lambda pair: pair[1] + (ply % 2 + 1) * pair[2]
        )) as child,
    from here
    left join key_cells
        on value_at_end is null
        and marks & weight = 0
        and marks & below = below
),

-- What the classes of the next ply are worth for who moved there.
after as (
    select
        key,
        case
            when score <> 0 then -score * (63 - distance)
            else 0
        end as value,
    from solution_files
    where ply = getvariable('ply') + 1
),

derived as (
    select
        coalesce(moves.key, after.key) as key,
        any_value(moves.value) as value,
        max(coalesce(value_at_end, after.value, 100)) as derived_value,  -- 100: it is not there
    from moves
    full join after on moves.child = after.key
    group by all
),

final as (
    select
        getvariable('ply') as ply,
        *
    from derived
    where value is distinct from derived_value
)

from final
order by key
