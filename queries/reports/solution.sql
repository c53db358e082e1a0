-- question: How many classes does each ply of a solved game have, and how do they end?
-- grain: one ply; classes and positions that circle wins, draws and loses, with perfect play
-- needs: solution
with
final as (
    select
        ply,
        count(*) as classes,
        sum(orbit) as positions,
        count(*) filter (distance = 0) as finished_classes,
        count(*) filter (score = 1) as classes_won,
        count(*) filter (score = 0) as classes_drawn,
        count(*) filter (score = -1) as classes_lost,
        coalesce(sum(orbit) filter (score = 1), 0) as positions_won,
        coalesce(sum(orbit) filter (score = 0), 0) as positions_drawn,
        coalesce(sum(orbit) filter (score = -1), 0) as positions_lost,
        max(distance) filter (score <> 0) as longest_win,
    from solution
    group by ply
)

from final
order by ply
