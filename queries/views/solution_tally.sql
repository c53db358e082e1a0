-- grain: one ply, status and score, with its positions and classes, and its nodes when counted
create or replace view solution_tally as
with
sided as (
    select
        *,
        case when ply % 2 = 0 then score_mover else -score_mover end::tinyint as score,
        case
            when distance > 0 then 'playing'
            else ['cross', 'draw', 'circle'][score + 2]
        end as status,
    from value_counts
),

counted as (
    select
        ply,
        status,
        score,
        sum(positions)::hugeint as positions,
        sum(classes)::hugeint as classes,
    from sided
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
