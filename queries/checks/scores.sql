-- question: Does each score follow from the children's scores or from the winner?
-- grain: one position with a wrong score, score_sv or distance
-- examines: positions
with
-- The winner hurries and the loser delays, so distance depends on the best children only.
children as (
    select
        before.position,
        before.turn,
        case before.turn when 'circle' then max(after.score) else min(after.score) end as score,
        case before.turn when 'circle' then max(after.score_sv) else min(after.score_sv) end
            as score_sv,
        list({'score': after.score, 'distance': after.distance}) as after,
    from moves
    join positions as before on moves.position = before.position
    join positions as after on moves.child = after.position
    group by before.position, before.turn
),

induced as (
    select
        position,
        score,
        score_sv,
        list_transform(
            list_filter(after, lambda child: child.score = score), lambda child: child.distance
        ) as distances,
        1 + case
            when score = case turn when 'circle' then 1 else -1 end then list_min(distances)
            else list_max(distances)
        end as distance,
    from children
),

ends as (
    select
        position,
        case status when 'circle' then 1 when 'cross' then -1 else 0 end as score,
        score * (1 + (cells - ply) // 2) as score_sv,
        0 as distance,
    from positions, game
    where status <> 'playing'
),

derived as (
    from ends

    union all

    select position, score, score_sv, distance
    from induced
),

final as (
    select
        positions.position,
        positions.board,
        positions.score,
        positions.score_sv,
        positions.distance,
        derived.score as derived_score,
        derived.score_sv as derived_score_sv,
        derived.distance as derived_distance,
    from positions
    left join derived using (position)
    where
        (positions.score, positions.score_sv, positions.distance)
        is distinct from
        (derived.score, derived.score_sv, derived.distance)
)

from final
order by position
