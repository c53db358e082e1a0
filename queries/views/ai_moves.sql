-- grain: one legal move in one unfinished position, as one AI sees it
-- needs: ai_moves
create or replace view ai_moves as
select * from read_parquet(
    list_transform(getvariable('folders_of_ais'), lambda folder: folder || '/ai_moves.parquet')
);
