-- grain: one node of the full tree, numbered depth first
create or replace view tree_dfs as
select * from read_parquet(getvariable('files')['tree_dfs'], hive_partitioning = false);
