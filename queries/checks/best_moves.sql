-- question: Do best moves, losses and critical positions follow from the children's scores?
-- grain: one position with a wrong list, flag or loss
-- examines: moves
with
valued as (
    select
        moves.*,
        before.turn,
        after.score as child_score,
        after.score_sv as child_score_sv,
        -- From the mover's view, a greater value is better.
        after.score * sign as score_mover,
        after.score_sv * sign as score_sv_mover,
        after.score_svrd * sign as score_svrd_mover,
        max(score_mover) over one_position as best,
        max(score_sv_mover) over one_position as best_sv,
        max(score_svrd_mover) over one_position as best_svrd,
        before.score * sign as score_mover_before,
    from moves
    join positions as before on moves.position = before.position
    join positions as after on moves.child = after.position
    cross join lateral (select case before.turn when 'circle' then 1 else -1 end as sign)
    window one_position as (partition by moves.position)
),

derived as (
    select
        position,
        coalesce(list(move order by move) filter (score_mover = best), []) as best_moves,
        coalesce(list(move order by move) filter (score_sv_mover = best_sv), []) as best_moves_sv,
        coalesce(list(move order by move) filter (score_svrd_mover = best_svrd), [])
            as best_moves_svrd,
        bool_or(score_mover < best) as critical,
        bool_and(
            (score, score_sv, is_best, is_best_sv, loss)
            is not distinct from
            (
                child_score,
                child_score_sv,
                score_mover = best,
                score_sv_mover = best_sv,
                score_mover_before - score_mover,
            )
        ) as moves_follow,
    from valued
    group by position
),

final as (
    select
        positions.position,
        positions.board,
        positions.best_moves,
        derived.best_moves as derived_best_moves,
        positions.best_moves_sv,
        derived.best_moves_sv as derived_best_moves_sv,
        positions.best_moves_svrd,
        derived.best_moves_svrd as derived_best_moves_svrd,
        positions.critical,
        derived.critical as derived_critical,
        derived.moves_follow,
    from positions
    left join derived using (position)
    where
        (
            positions.best_moves,
            positions.best_moves_sv,
            positions.best_moves_svrd,
            positions.critical,
            true,
        )
        is distinct from
        (
            coalesce(derived.best_moves, []),
            coalesce(derived.best_moves_sv, []),
            coalesce(derived.best_moves_svrd, []),
            coalesce(derived.critical, false),
            coalesce(derived.moves_follow, true),
        )
)

from final
order by position
