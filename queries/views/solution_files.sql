-- grain: one class of positions, as the files have it
-- needs: solution
create or replace view solution_files as
select *
from read_parquet(
    getvariable('parts'),
    hive_types = {'ply': 'tinyint'}
);
