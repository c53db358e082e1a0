-- question: Are AIs, their moves and matches, searches and traces in the order of their keys?
-- grain: one row that is in another place
-- examines: ai_moves
with
placed as (
    select
        'ais' as relation,
        ai as circle_ai,
        row_number() over () as place,
    from ais

    union all by name

    select
        'ai_moves' as relation,
        ai as circle_ai,
        position,
        move as step,
        row_number() over () as place,
    from ai_moves

    union all by name

    select
        'matches' as relation,
        circle_ai,
        cross_ai,
        row_number() over () as place,
    from matches

    union all by name

    select
        'searches' as relation,
        search,
        position,
        row_number() over () as place,
    from searches

    union all by name

    select
        'search_trace' as relation,
        search,
        event as step,
        row_number() over () as place,
    from search_trace
),

-- Each saved AI has a file of its own, and all of them one for their matches.
saved as (
    select coalesce(list(ai), []) as ais from ais where family = 'foreign'
),

in_files as (
    select
        placed.*,
        case
            when not list_has_any(ais, [circle_ai, cross_ai]) then 'ours'
            when relation = 'matches' then 'saved'
            else circle_ai
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
        by_key as (one_file order by circle_ai, cross_ai, search, position, step)
    qualify place - min(place) over one_file + 1 <> row_number() over by_key
)

from final
order by relation, circle_ai, cross_ai, search, position, step, place
