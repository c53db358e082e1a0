-- question: In how many positions can the side to move make a mistake, and how bad is it?
-- grain: one ply; the last row, without a ply, is for all
with
worst as (
    select
        position,
        count(*) filter (loss > 0) as moves_with_loss,
        count(*) as legal_moves,
        max(loss) as worst_loss,
    from moves
    group by position
),

final as (
    select
        ply,
        count(*) as unfinished_positions,
        count(*) filter (critical) as critical_positions,
        count(distinct class) filter (critical) as critical_classes,
        count(*) filter (worst_loss = 2) as can_lose_a_won_game,
        count(*) filter (legal_moves - moves_with_loss = 1 and critical) as only_one_best_move,
        sum(moves_with_loss)::bigint as moves_with_loss,
        sum(legal_moves)::bigint as legal_moves,
    from positions
    join worst using (position)
    group by rollup (ply)
)

from final
order by ply nulls last
