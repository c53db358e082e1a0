-- grain: one reachable position
create or replace view positions as
select * from read_parquet(getvariable('files')['positions'], hive_partitioning = false);
