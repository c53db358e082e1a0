-- grain: one legal move in one unfinished position, as one AI sees it
create or replace view ai_moves as
select * from read_parquet(getvariable('files')['ai_moves'], hive_partitioning = false);
