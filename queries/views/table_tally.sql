-- grain: one ply, status, score and critical, with its positions, classes and nodes
create or replace view table_tally as
select
    ply,
    status,
    score,
    critical,
    sum(positions) as positions,
    sum(classes) as classes,
    sum(nodes) as nodes,
from (
    select ply, status, score, critical, 1 as positions, 0 as classes, nodes
    from positions

    union all

    select ply, status, score, critical, 0, 1, 0
    from classes
)
group by all;
