-- question: Do the events of each trace form one complete search, with its nodes and score?
-- grain: one event that does not fit, or one search
-- examines: search_trace
with
trace as (
    select * replace (
        coalesce(alpha, '-infinity') as alpha,
        coalesce(beta, 'infinity') as beta
    )
    from search_trace
),

events as (
    select
        trace.*,
        row_number() over of_search - 1 as expected_event,
        -- The depth of the search after the event.
        sum(case kind when 'enter' then 1 when 'leave' then -1 else 0 end) over of_search as depth,
        lag(trace) over of_search as before,
        -- The line that the search is at before the event.
        lag(if(kind = 'leave', line // 10, line), 1, 0) over of_search as line_before,
    from trace
    window of_search as (partition by search order by event)
),

-- The visit that an event belongs to ends with the next event that leaves its line.
visits as (
    select
        events.*,
        ply,
        turn,
        if(shortest_victory, score_sv, positions.score) as value,
        algorithm,
        evaluation,
        use_table,
    from events
    join positions using (position)
    join (select * exclude (score) from searches where position = 0) as searches using (search)
    where kind = 'leave'
),

entered as (
    select
        visits.search,
        visits.event,
        opened.position,
        opened.alpha,
        opened.beta,
    from visits
    asof join (select * from events where kind = 'enter') as opened
        on visits.search = opened.search
        and visits.line = opened.line
        and visits.event > opened.event
),

steps as (
    select
        child.search,
        child.event,
        child.line,
        child.alpha,
        child.beta,
        child.score,
        visits.event as visit,
        visits.position as parent,
    from visits as child
    asof join visits
        on child.search = visits.search
        and child.line // 10 = visits.line
        and child.event < visits.event
    where child.line > 0
),

-- Scout may enter a move twice.
moves_entered as (
    select
        search,
        visit,
        line,
        max_by(score, event) as score,
        max(event) as last_event,
        max(max_by(score, event)) over moves_before as greatest_before,
        min(max_by(score, event)) over moves_before as least_before,
    from steps
    group by search, visit, line
    window moves_before as (
        partition by search, visit
        order by max(event)
        rows between unbounded preceding and 1 preceding
    )
),

tried as (
    select
        search,
        visit,
        count(*) as number,
        max(score) as greatest,
        min(score) as least,
        max(greatest_before) as greatest_before,
        min(least_before) as least_before,
    from moves_entered
    group by search, visit
),

-- The moves before a move narrow its window; at a cut, those before the last one.
windows as (
    select search, event, kind, visit, alpha, beta, greatest_before, least_before
    from (select *, event + 1 as visit from events where kind = 'cut')
    join tried using (search, visit)

    union all

    select search, event, 'leave', visit, alpha, beta, greatest_before, least_before
    from steps
    join moves_entered using (search, visit, line)
),

wrong_windows as (
    select
        windows.search,
        windows.event,
    from windows
    join visits on windows.search = visits.search and windows.visit = visits.event
    cross join lateral (
        select
            if(turn = 'circle', greatest(visits.alpha, greatest_before), visits.alpha) as lowest,
            if(turn = 'cross', least(visits.beta, least_before), visits.beta) as highest
    )
    where
        (
            windows.alpha >= lowest
            and windows.beta <= highest
            and (
                use_table
                or windows.alpha = lowest and windows.beta = highest
                -- Scout asks first whether a move is better than those before.
                or algorithm = 'scout'
                and windows.kind = 'leave'
                and windows.alpha + 1 = windows.beta
                and if(turn = 'circle', windows.alpha = lowest, windows.beta = highest)
            )
        ) is not true
),

wrong_visits as (
    select
        visits.search,
        visits.event,
    from visits
    left join entered using (search, event)
    left join steps using (search, event)
    left join moves on parent = moves.position and visits.line % 10 - 1 = moves.move
    left join ai_moves
        on evaluation = ai and parent = ai_moves.position and moves.move = ai_moves.move
    left join tried on visits.search = tried.search and visits.event = tried.visit
    left join (select position, count(*) as number from moves group by position) as legal
        on visits.position = legal.position
    where
        (
            (visits.position, visits.alpha, visits.beta)
            = (entered.position, entered.alpha, entered.beta)
            and visits.position = if(visits.line = 0, 0, moves.child)
            and case visits.before.kind
                -- Evaluations are in the view of the side that moved.
                when 'enter'
                    then abs(
                        visits.score
                        - case
                            when evaluation is null then value
                            else if(ply % 2 = 1, ai_score, -ai_score)
                        end
                    ) < 1e-5
                when 'hit' then visits.score = visits.before.score
                else
                    visits.score = if(turn = 'circle', greatest, least)
                    and legal.number - tried.number
                    = if(visits.before.kind = 'cut', visits.before.skipped, 0)
            end
            -- A score outside of the window is a bound.
            and case
                when evaluation is not null then true
                when visits.score <= visits.alpha then visits.score >= value
                when visits.score >= visits.beta then visits.score <= value
                else visits.score = value
            end
        ) is not true
),

totals as (
    select
        search,
        count(*) filter (kind = 'enter') as entered,
        count(*) filter (kind = 'leave') as left_,
        max_by(score, event) as last_score,
        bool_or(kind = 'hit') as has_hits,
    from search_trace
    group by search
),

wrong_events as (
    select
        search,
        event,
    from events
    left join positions using (position)
    where
        (
            event = expected_event
            and if(kind = 'enter', line // 10, line) = line_before
            and if(line = 0, 0, length(line::varchar)) = ply
            and depth = if(kind = 'leave', ply, ply + 1)
            and (events.score is null) = (kind = 'enter')
            and alpha < beta
            and if(kind = 'cut', skipped > 0, skipped = 0)
            and case kind
                when 'hit' then
                    before.kind = 'enter'
                    and (position, alpha, beta) = (before.position, before.alpha, before.beta)
                when 'cut' then if(turn = 'circle', events.score >= beta, events.score <= alpha)
                else kind in ('enter', 'leave')
            end
            and case
                when before.kind in ('hit', 'cut')
                    then
                        kind = 'leave'
                        and (position, events.score) = (before.position, before.score)
                else true
            end
        ) is not true
),

wrong_searches as (
    select
        search,
        null::int as event,
    from totals
    left join (select * from searches where position = 0) as of_empty_board using (search)
    where
        (
            entered = nodes
            and left_ = nodes
            -- MTD(f) asks more than once; its last answer is the score.
            and abs(last_score - score) < 1e-5
            and (use_table or not has_hits)
        ) is not true
),

wrong as (
    from wrong_events

    union

    from wrong_visits

    union

    from wrong_windows

    union

    from wrong_searches
),

final as (
    select
        wrong.search,
        wrong.event,
        search_trace.line,
        board,
    from wrong
    left join search_trace using (search, event)
    left join positions using (position)
)

from final
order by search, event nulls last
