-- grain: one class of positions that are images of each other
create or replace view classes as
select * from read_parquet(getvariable('files')['classes'], hive_partitioning = false);
