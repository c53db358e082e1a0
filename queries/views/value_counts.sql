-- grain: the classes of one ply of a solved game with the same score and distance
create or replace view value_counts as
select * from read_parquet(getvariable('files')['value_counts'], hive_partitioning = false);
