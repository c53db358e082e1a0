-- question: How many positions and nodes does each ply have, and who wins from there?
-- grain: one ply, and a last row, without a ply, for all
with
moves_of as (
    select
        position,
        count(*) as legal,
    from moves
    group by position
)

select
    ply,
    min(position) as first,
    count(*)::int as positions,
    sum(nodes)::bigint as nodes,
    coalesce(sum(nodes) filter (score > 0), 0)::bigint as won,
    coalesce(sum(nodes) filter (score = 0), 0)::bigint as drawn,
    coalesce(sum(nodes) filter (score < 0), 0)::bigint as lost,
    coalesce(max(legal), 0)::int as most_moves,
from positions
left join moves_of using (position)
group by rollup (ply)
order by ply nulls last
