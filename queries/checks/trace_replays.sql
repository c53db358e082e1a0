-- question: Do the events of each trace form one complete search, with its nodes and score?
-- grain: one event that does not fit, or one search
-- examines: search_trace
with
events as (
    select
        search_trace.*,
        positions.board,
        positions.ply,
        positions.turn,
        -- The depth of the search after the event.
        sum(case kind when 'enter' then 1 when 'leave' then -1 else 0 end)
            over (partition by search order by event) as depth,
        lag(kind) over (partition by search order by event) as kind_before,
        lag(line) over (partition by search order by event) as line_before,
        row_number() over (partition by search order by event) - 1 as expected_event,
        min(position) over (partition by search, line) as position_of_line,
    from search_trace
    join positions using (position)
),

reached as (
    -- The line must lead to the position by legal moves.
    select
        events.search,
        events.event,
        parent.position as parent_position,
        moves.child,
    from events
    left join search_trace as parent
        on events.search = parent.search
        and parent.kind = 'enter'
        and parent.line = events.line // 10
        and events.line > 0
        and parent.event < events.event
    left join moves
        on parent.position = moves.position and moves.move = events.line % 10 - 1
    where events.kind = 'enter'
    qualify row_number() over (partition by events.search, events.event order by parent.event desc)
        = 1
),

-- The visit that an event belongs to, by the event that leaves it.
visits as (
    select
        search,
        line,
        event,
        score,
    from search_trace
    where kind = 'leave'
),

entered as (
    select
        visits.search,
        visits.event as visit,
        before.alpha,
        before.beta,
    from visits
    asof join (select * from search_trace where kind = 'enter') as before
        on visits.search = before.search
        and visits.line = before.line
        and visits.event > before.event
),

moves_entered as (
    select
        child.search,
        visits.event as visit,
        child.line,
        max_by(child.score, child.event) as score, -- Scout may enter a move twice.
        max(child.event) as last_event,
    from visits as child
    asof join visits
        on child.search = visits.search
        and child.line // 10 = visits.line
        and child.event < visits.event
    where child.line > 0
    group by child.search, visits.event, child.line
),

cuts as (
    select
        cut.search,
        cut.event,
        cut.alpha,
        cut.beta,
        visits.event as visit,
        cut.skipped,
        cut.position,
    from (select * from search_trace where kind = 'cut') as cut
    asof join visits
        on cut.search = visits.search
        and cut.line = visits.line
        and cut.event < visits.event
),

-- A cut leaves out the moves that were not entered. Its window is the one that the visit was
-- entered with, narrowed by the moves before the last one, and perhaps by the table.
wrong_cuts as (
    select
        cuts.search,
        cuts.event,
    from cuts
    join searches on cuts.search = searches.search and searches.position = 0
    join positions on cuts.position = positions.position
    join entered on cuts.search = entered.search and cuts.visit = entered.visit
    join (
        select
            search,
            visit,
            count(*) as tried,
            list(score order by last_event)[:-2] as before,
        from moves_entered
        group by search, visit
    ) as tried on cuts.search = tried.search and cuts.visit = tried.visit
    join (select position, count(*) as legal from moves group by position) as legal
        on cuts.position = legal.position
    cross join lateral (
        select
            coalesce(entered.alpha, '-infinity'::float) as alpha_entered,
            coalesce(entered.beta, 'infinity'::float) as beta_entered,
            coalesce(cuts.alpha, '-infinity'::float) as alpha_cut,
            coalesce(cuts.beta, 'infinity'::float) as beta_cut,
            case turn
                when 'circle' then greatest(alpha_entered, list_max(before))
                else alpha_entered
            end as alpha_least,
            case turn
                when 'cross' then least(beta_entered, list_min(before))
                else beta_entered
            end as beta_most
    ) as window_
    where
        (
            skipped = legal - tried
            and alpha_cut >= alpha_least
            and beta_cut <= beta_most
            and (use_table or (alpha_cut = alpha_least and beta_cut = beta_most))
        ) is not true
),

totals as (
    select
        search,
        count(*) filter (kind = 'enter') as entered,
        count(*) filter (kind = 'leave') as left_,
        max(event) as last_event,
        count(*) as events,
        max_by(score, event) as last_score,
        bool_or(kind = 'hit') as has_hits,
    from search_trace
    group by search
),

wrong_events as (
    select
        search,
        event,
        events.line,
        events.board,
    from events
    left join reached using (search, event)
    left join (select *, true as is_wrong from wrong_cuts) as wrong_cuts using (search, event)
    where
        is_wrong
        or (
            event = expected_event
            and position = position_of_line
            and (line = 0 and position = 0 or length(line::varchar) = ply and line > 0)
            and depth = case kind when 'leave' then ply else ply + 1 end
            and (score is null) = (kind = 'enter')
            and coalesce(alpha, '-infinity'::float) < coalesce(beta, 'infinity'::float)
            and case kind
                when 'enter' then skipped = 0 and (line = 0 or child = position)
                when 'hit' then skipped = 0 and kind_before = 'enter' and line_before = line
                when 'cut' then
                    skipped > 0
                    and case turn when 'circle' then score >= beta else score <= alpha end
                else skipped = 0
            end
        ) is not true
),

wrong_searches as (
    select
        search,
        null::int as event,
        null::int as line,
        null as board,
    from totals
    left join (select * from searches where position = 0) as of_empty_board using (search)
    where
        (
            entered = nodes
            and left_ = nodes
            and events = last_event + 1
            -- MTD(f) asks more than once; its last answer is the score.
            and abs(last_score - score) < 1e-5
            and (use_table or not has_hits)
        ) is not true
),

final as (
    from wrong_events

    union all

    from wrong_searches
)

from final
order by search, event nulls last
