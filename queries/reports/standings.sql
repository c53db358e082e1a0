-- question: Which AI has the best results against all AIs, itself included, on both sides?
-- grain: one AI; points: a win counts 1, a draw one half
with
sides as (
    select
        circle_ai as ai,
        p_circle as win,
        p_draw as draw,
        p_cross as lose,
    from matches

    union all

    select cross_ai, p_cross, p_draw, p_circle
    from matches
),

final as (
    select
        ai,
        round(100 * avg(win + draw / 2), 3) as points_percent,
        round(100 * avg(win), 3) as win_percent,
        round(100 * avg(draw), 3) as draw_percent,
        round(100 * avg(lose), 3) as lose_percent,
        count(*) filter (lose = 0) as matches_never_lost,
        count(*) as matches,
    from sides
    group by ai
)

from final
order by points_percent desc, ai
