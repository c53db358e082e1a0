-- grain: a class of a game without tables that a search has solved
create or replace view answers as
select * from read_parquet(getvariable('files')['answers'], hive_partitioning = false);
