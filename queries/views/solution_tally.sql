-- grain: one ply, status and score, with its positions and classes, and its nodes when counted
-- needs: solution
create or replace view solution_tally as
with
classes as (
    select
        ply,
        case
            when distance > 0 then 'playing'
            else ['cross', 'draw', 'circle'][score + 2]
        end as status,
        score,
        orbit,
    from solution
),

counted as (
    select
        ply,
        status,
        score,
        sum(orbit) as positions,
        count(*)::hugeint as classes,
    from classes
    group by all
)

select
    ply,
    status,
    score,
    null::boolean as critical,
    positions,
    classes,
    nodes::hugeint as nodes,
from counted
left join solution_nodes using (ply, status, score);
