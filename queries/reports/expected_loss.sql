-- question: How much does each AI give away on average, where it can give something away?
-- grain: one AI, over all critical positions
with
final as (
    select
        ai,
        family,
        positions as critical_positions,
        best_move_percent,
        expected_loss,
    from ai_figures
    where positions > 0
)

from final
order by expected_loss, ai
