-- question: Are AIs, their moves and matches, searches and traces in the order of their keys?
-- grain: one row that is in another place
-- examines: ai_moves
with
-- Saved AIs have files of their own.
saved as (
    select list(ai) as ais from ais where family = 'foreign'
),

placed as (
    select
        'ais' as relation,
        ai as circle_ai,
        null as cross_ai,
        null::int as search,
        null::int as position,
        null::int as step,
        row_number() over () as place,
    from ais

    union all

    select
        'ai_moves' as relation,
        ai as circle_ai,
        null as cross_ai,
        null::int as search,
        position,
        move as step,
        row_number() over () as place,
    from ai_moves

    union all

    select
        'matches' as relation,
        circle_ai,
        cross_ai,
        null::int as search,
        null::int as position,
        null::int as step,
        row_number() over () as place,
    from matches

    union all

    select
        'searches' as relation,
        null as circle_ai,
        null as cross_ai,
        search,
        position,
        null::int as step,
        row_number() over () as place,
    from searches

    union all

    select
        'search_trace' as relation,
        null as circle_ai,
        null as cross_ai,
        search,
        null::int as position,
        event as step,
        row_number() over () as place,
    from search_trace
),

in_files as (
    select
        *,
        case
            when relation <> 'matches' and list_contains(ais, circle_ai) then circle_ai
            when list_has_any(ais, [circle_ai, cross_ai]) then 'saved'
            else ''
        end as file,
    from placed, saved
),

final as (
    select
        relation,
        circle_ai,
        cross_ai,
        search,
        position,
        step,
        place,
    from in_files
    window
        one_file as (partition by relation, file),
        sorted as (
            partition by relation, file order by circle_ai, cross_ai, search, position, step
        )
    qualify place - min(place) over one_file + 1 <> row_number() over sorted
)

from final
order by relation, circle_ai, cross_ai, search, position, step, place
