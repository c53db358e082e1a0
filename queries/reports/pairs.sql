-- question: What are the exact results of each AI against each other AI?
-- grain: one AI as circle against one AI as cross
with
final as (
    select
        circle_ai,
        cross_ai,
        round(100 * p_circle, 3) as circle_percent,
        round(100 * p_draw, 3) as draw_percent,
        round(100 * p_cross, 3) as cross_percent,
        fraction_circle,
        fraction_draw,
        fraction_cross,
    from matches
)

from final
order by circle_ai, cross_ai
