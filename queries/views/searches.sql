-- grain: one search of one unfinished class representative
create or replace view searches as
select * from read_parquet(getvariable('files')['searches'], hive_partitioning = false);
