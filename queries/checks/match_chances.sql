-- question: Do the chances of each pair of AIs follow from the moves that the AIs may choose?
-- grain: one pair of AIs whose chances are wrong
-- examines: matches
with recursive
chosen as (
    select ai, position, child, probability
    from ai_moves
    join moves using (position, move)
    where is_candidate
),

-- The chance of each position, ply by ply.
reached as (
    select
        circle.ai as circle_ai,
        cross_.ai as cross_ai,
        0 as position,
        0 as ply,
        1::double as chance,
    from ais as circle, ais as cross_

    union all

    select
        circle_ai,
        cross_ai,
        child,
        ply + 1,
        sum(chance * probability),
    from reached
    join chosen
        on reached.position = chosen.position and ai = if(ply % 2 = 0, circle_ai, cross_ai)
    group by all
),

derived as (
    select
        circle_ai,
        cross_ai,
        coalesce(sum(chance) filter (status = 'circle'), 0) as circle_wins,
        coalesce(sum(chance) filter (status = 'draw'), 0) as drawn,
        coalesce(sum(chance) filter (status = 'cross'), 0) as cross_wins,
    from reached
    join positions using (position)
    group by circle_ai, cross_ai
),

uneven as (
    select ai
    from ai_moves
    where is_candidate
    group by ai, position
    having max(probability) - min(probability) > 1e-12
),

parts as (
    select
        *,
        circle_ai in (select ai from uneven) or cross_ai in (select ai from uneven) as weighs,
        list_transform(
            [fraction_circle, fraction_draw, fraction_cross],
            lambda fraction: list_transform(
                string_split(
                    case when fraction like '%/%' then fraction else fraction || '/1' end, '/'
                ),
                lambda number: number::bigint
            )
        ) as fractions,
        [p_circle, p_draw, p_cross] as chances,
        [fraction_circle, fraction_draw, fraction_cross] as texts,
        count(*) over (partition by circle_ai, cross_ai) as times,
    from matches
),

final as (
    select
        circle_ai,
        cross_ai,
        chances,
        [circle_wins, drawn, cross_wins] as derived_chances,
        fractions,
    from derived
    full join parts using (circle_ai, cross_ai)
    where
        (
            times = 1
            and abs(p_circle - circle_wins) < 1e-12
            and abs(p_draw - drawn) < 1e-12
            and abs(p_cross - cross_wins) < 1e-12
            and (
                -- Where a saved AI weighs its moves, there are no fractions.
                weighs and len(list_filter(texts, lambda text: text is not null)) = 0
                or len(list_filter(
                    list_zip(texts, fractions),
                    lambda pair: pair[1]
                        = concat(pair[2][1], case when pair[2][2] <> 1 then '/' || pair[2][2] end)
                )) = 3
                and list_bool_and(
                    list_transform(
                        list_zip(chances, fractions),
                        lambda pair: abs(pair[1] - pair[2][1] / pair[2][2]) < 1e-15
                            and (pair[2][2] = 1 or gcd(pair[2][1], pair[2][2]) = 1)
                    )
                ) is true
            )
        ) is not true
)

from final
order by circle_ai, cross_ai
