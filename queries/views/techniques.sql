-- grain: a search of a position by one setting of the techniques
create or replace view techniques as
select * from read_parquet(getvariable('files')['techniques'], hive_partitioning = false);
