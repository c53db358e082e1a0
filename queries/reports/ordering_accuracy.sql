-- question: How often does each ordering put a best move first?
-- grain: one AI as an ordering, head or all, over all critical positions
with
ranked as (
    select
        ai_moves.ai,
        ai_moves.position,
        moves.is_best,
        ai_moves.is_candidate,
        ai_moves.probability,
        row_number() over by_value as place_by_value,
        row_number() over ascending as place,
        -- Head: the first candidate changes places with the first move.
        min(case when ai_moves.is_candidate then ai_moves.move end) over all_moves = ai_moves.move
            as is_head,
        min(ai_moves.move) over all_moves = ai_moves.move as is_first,
        count(*) over all_moves as legal,
    from ai_moves
    join positions using (position)
    join moves using (position, move)
    where positions.critical
    window
        all_moves as (partition by ai_moves.ai, ai_moves.position),
        ascending as (partition by ai_moves.ai, ai_moves.position order by ai_moves.move),
        by_value as (
            partition by ai_moves.ai, ai_moves.position
            order by
                coalesce(ai_moves.ai_score, ai_moves.is_candidate::int) desc, ai_moves.move
        )
),

headed as (
    select
        *,
        case
            when is_head then 1
            when is_first then max(case when is_head then place end)
                over (partition by ai, position)
            else place
        end as place_by_head,
    from ranked
),

orders as (
    select
        *,
        unnest(['head', 'all']) as kind,
        unnest([place_by_head, place_by_value]) as place_here,
    from headed
),

positions_ordered as (
    select
        ai,
        kind,
        position,
        any_value(legal) as legal,
        bool_or(is_best and place_here = 1) as best_is_first,
        min(place_here) filter (is_best) as place_of_best,
        -- The chance when ties are drawn at random; otherwise the first one is taken.
        sum(probability) filter (is_best) as chance,
    from orders
    group by ai, kind, position
),

final as (
    select
        ai as ordering,
        kind,
        count(*) as positions,
        count(*) filter (best_is_first) as best_first,
        round(100 * avg(best_is_first::int), 2) as best_first_percent,
        round(100 * avg(coalesce(chance, 0)), 2) as candidate_is_best_percent,
        round(avg(place_of_best), 3) as mean_place_of_best,
        max(place_of_best) as worst_place_of_best,
        round(avg(legal), 3) as mean_legal_moves,
    from positions_ordered
    group by ai, kind
)

from final
order by best_first desc, mean_place_of_best, ordering, kind
