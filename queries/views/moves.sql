-- grain: one legal move in one position
create or replace view moves as
select * from read_parquet(getvariable('files')['moves'], hive_partitioning = false);
