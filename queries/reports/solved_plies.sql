-- question: How many classes does each ply of a solved game have, and how do they end?
-- grain: one ply; classes and positions that circle wins, draws and loses, with perfect play
with
sided as (
    select
        *,
        case when ply % 2 = 0 then score_mover else -score_mover end as score,
    from value_counts
),

final as (
    select
        ply,
        sum(classes)::bigint as classes,
        sum(positions)::bigint as positions,
        coalesce(sum(classes) filter (distance = 0), 0)::bigint as finished_classes,
        coalesce(sum(classes) filter (score = 1), 0)::bigint as classes_won,
        coalesce(sum(classes) filter (score = 0), 0)::bigint as classes_drawn,
        coalesce(sum(classes) filter (score = -1), 0)::bigint as classes_lost,
        coalesce(sum(positions) filter (score = 1), 0)::bigint as positions_won,
        coalesce(sum(positions) filter (score = 0), 0)::bigint as positions_drawn,
        coalesce(sum(positions) filter (score = -1), 0)::bigint as positions_lost,
        max(distance) filter (score <> 0) as longest_win,
    from sided
    group by ply
)

from final
order by ply
