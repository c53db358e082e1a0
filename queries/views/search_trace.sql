-- grain: one event of a search from the empty board
create or replace view search_trace as
select * from read_parquet(getvariable('files')['search_trace'], hive_partitioning = false);
