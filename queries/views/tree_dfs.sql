-- grain: one node of the full tree, numbered depth first
-- needs: tree_dfs
create or replace view tree_dfs as
select * from read_parquet(getvariable('files')['tree_dfs'], hive_partitioning = false);
