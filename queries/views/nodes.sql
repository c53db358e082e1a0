-- grain: one node of the full tree with everything known of its position
create or replace view nodes as
select
    tree_bfs.*,
    positions.* exclude (position, ply),
from tree_bfs
join positions using (position);
