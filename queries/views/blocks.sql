-- grain: one block of the index of a solved game
create or replace view blocks as
select * from read_parquet(getvariable('files')['blocks'], hive_partitioning = false);
