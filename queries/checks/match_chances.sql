-- question: Do the chances of each pair of AIs add up, and agree with what the AIs may choose?
-- grain: one pair of AIs whose chances are wrong
-- examines: matches
with
counted_pairs as (
    select
        circle.ai as circle_ai,
        cross_.ai as cross_ai,
    from ais as circle, ais as cross_
),

-- An AI that nobody can beat cannot lose to one AI either.
unbeaten as (
    select
        ai,
        side,
    from ai_reached
    join positions using (position)
    group by ai, side
    having count(*) filter (status not in (side, 'draw', 'playing')) = 0
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
        counted_pairs.circle_ai,
        counted_pairs.cross_ai,
        chances,
        fractions,
    from counted_pairs
    full join parts using (circle_ai, cross_ai)
    cross join (select * from positions where position = 0) as empty
    left join unbeaten as circle on circle.ai = circle_ai and circle.side = 'circle'
    left join unbeaten as cross_ on cross_.ai = cross_ai and cross_.side = 'cross'
    where
        (
            times = 1
            and abs(list_sum(chances) - 1) < 1e-12
            and len(list_filter(chances, lambda chance: chance between 0 and 1)) = 3
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
            and (circle.ai is null or p_cross = 0)
            and (cross_.ai is null or p_circle = 0)
            and (
                (circle_ai, cross_ai) <> ('ai2', 'ai2')
                or abs(p_circle - random_circle) < 1e-14
                and abs(p_draw - random_draw) < 1e-14
                and abs(p_cross - random_cross) < 1e-14
            )
        ) is not true
)

from final
order by circle_ai, cross_ai
