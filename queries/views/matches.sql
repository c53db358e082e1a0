-- grain: one AI as circle against one AI as cross
-- needs: matches
create or replace view matches as
select * from read_parquet(
    list_transform(getvariable('folders_of_ais'), lambda folder: folder || '/matches.parquet')
);
