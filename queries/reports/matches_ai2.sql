-- question: What are the exact results of each AI against random moves (ai2)?
-- grain: one AI as circle, as cross, or in total
with
sides as (
    select
        circle_ai as ai,
        'circle' as side,
        p_circle as win,
        p_cross as lose,
        p_draw as draw,
    from matches
    where cross_ai = 'ai2'

    union all

    select cross_ai, 'cross', p_cross, p_circle, p_draw
    from matches
    where circle_ai = 'ai2'
),

exact as (
    from sides

    union all

    select ai, 'total', avg(win), avg(lose), avg(draw)
    from sides
    group by ai
),

compared as (
    select
        exact.*,
        published_matches.* exclude (ai, side),
        -- Four standard errors of a sample of this size, and half a digit of rounding.
        abs(win_percent / 100 - win) <= 4 * sqrt(win * (1 - win) / games) + 0.0005
        and coalesce(
            abs(lose_percent / 100 - lose) <= 4 * sqrt(lose * (1 - lose) / games) + 0.0005, true
        )
        and coalesce(
            abs(draw_percent / 100 - draw) <= 4 * sqrt(draw * (1 - draw) / games) + 0.0005, true
        ) as near,
    from exact
    cross join game
    left join published_matches
        on notation = '3x3k3' and exact.ai = published_matches.ai
        and exact.side = published_matches.side and opponent = 'ai2'
),

final as (
    select
        ai,
        side,
        round(100 * win, 3) as win_percent,
        round(100 * lose, 3) as lose_percent,
        round(100 * draw, 3) as draw_percent,
        compared.win_percent as published_win,
        compared.lose_percent as published_lose,
        compared.draw_percent as published_draw,
        games as published_games,
        case when games is not null then near end as agrees,
        case
            when games is not null and not agrees
                then coalesce(note, 'further than 4 standard errors')
            when games is not null then coalesce(note, 'a sample, within 4 standard errors')
        end as why,
    from compared
)

from final
order by ai, side, published_games nulls first
