-- question: Does each AI list exactly the legal moves, and choose those with its best ai_score?
-- grain: one AI and position that breaks this
-- examines: ai_moves
with
expected as (
    select
        ais.ai,
        ais.family,
        moves.position,
        list(moves.move order by moves.move) as legal,
    from ais, moves
    group by ais.ai, ais.family, moves.position
),

choices as (
    select
        ai,
        position,
        list(move order by move) as moves,
        count(*) filter (is_candidate) as candidates,
        count(ai_score) as scores,
        -- Where an AI has scores, its candidates are the moves with the greatest one.
        bool_and(is_candidate = (ai_score = best)) as takes_the_best,
        bool_and(
            (is_candidate, probability)
            is not distinct from (probability > 0, if(is_candidate, 1 / number, 0))
        ) as fair,
        -- A foreign AI may weigh its candidates.
        bool_and((probability > 0) = is_candidate) and abs(sum(probability) - 1) < 1e-12 as weighed,
    from (
        select
            *,
            max(ai_score) over one_position as best,
            count(*) filter (is_candidate) over one_position as number,
        from ai_moves
        window one_position as (partition by ai, position)
    )
    group by ai, position
),

final as (
    select
        ai,
        position,
        board,
        legal,
        moves,
        candidates,
        scores,
        takes_the_best,
        fair,
        weighed,
    from expected
    full join choices using (ai, position)
    left join positions using (position)
    where
        (
            moves = legal
            and candidates > 0
            and family in ('rule', 'evaluation', 'table', 'search', 'foreign')
            and scores = case when family in ('rule', 'foreign') then 0 else len(legal) end
            and (scores = 0 or takes_the_best)
            and case family when 'foreign' then weighed else fair end
        ) is not true
)

from final
order by ai, position
