-- grain: the nodes of one ply with the same end and score; no row until Python has counted them
create or replace view solution_nodes as
select
    null::tinyint as ply,
    null::varchar as status,
    null::tinyint as score,
    null::hugeint as nodes,
from value_counts
where false;
