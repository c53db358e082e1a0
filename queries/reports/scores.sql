-- question: How are the shortest-victory scores distributed over positions, classes and nodes?
-- grain: one score and shortest-victory score
with
of_positions as (
    select
        score,
        score_sv,
        count(*) as positions,
        count(distinct class) as classes,
        sum(nodes) as nodes,
        count(*) filter (status <> 'playing') as finished_positions,
        max(distance) as greatest_distance,
    from positions
    group by score, score_sv
),

final as (
    select
        *,
        round(100 * positions / sum(positions) over (), 2) as positions_percent,
    from of_positions
)

from final
order by score_sv desc
