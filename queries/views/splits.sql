-- grain: the classes of one ply of a solved game with the same score and distance
-- needs: solution
create or replace view splits as
select * from read_parquet(getvariable('files')['splits'], hive_partitioning = false);
