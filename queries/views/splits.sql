-- grain: one class of unfinished positions, to learn from or to be tested on
create or replace view splits as
select * from read_parquet(getvariable('files')['splits'], hive_partitioning = false);
