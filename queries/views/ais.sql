-- grain: one AI
create or replace view ais as
select * from read_parquet(getvariable('files')['ais'], hive_partitioning = false);
