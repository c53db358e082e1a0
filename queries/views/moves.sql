-- grain: one legal move in one position
-- needs: moves
create or replace view moves as
select * from read_parquet(getvariable('files')['moves'], hive_partitioning = false);
