-- grain: one AI
-- needs: ais
create or replace view ais as
select * from read_parquet(
    list_transform(getvariable('folders_of_ais'), lambda folder: folder || '/ais.parquet')
);
