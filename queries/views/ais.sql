-- grain: one AI
-- needs: ais
create or replace view ais as
select * from read_parquet(getvariable('data') || '/ais.parquet');
