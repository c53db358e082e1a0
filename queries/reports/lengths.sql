-- question: How long do games last, and who wins them?
-- grain: one length and result
with
final as (
    select
        ply as length,
        status as result,
        count(*) as positions,
        count(distinct class) as classes,
        sum(nodes) as games,
        round(100 * sum(nodes) / sum(sum(nodes)) over (), 2) as games_percent,
    from positions
    where status <> 'playing'
    group by ply, status
)

from final
order by length, result
