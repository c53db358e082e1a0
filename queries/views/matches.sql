-- grain: one AI as circle against one AI as cross
create or replace view matches as
select * from read_parquet(getvariable('files')['matches'], hive_partitioning = false);
