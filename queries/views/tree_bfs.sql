-- grain: one node of the full tree, numbered breadth first
create or replace view tree_bfs as
select * from read_parquet(getvariable('files')['tree_bfs'], hive_partitioning = false);
