-- grain: one node of one of the two trees
create or replace view trees as
select 'tree_bfs' as tree, * from tree_bfs
union all
select 'tree_dfs' as tree, * from tree_dfs;
