-- grain: one class of positions, as the files have it
-- needs: solution
create or replace view solution_files as
select
    * exclude (filename),
    getvariable('plies')[filename]::tinyint as ply,
from read_parquet(getvariable('parts'), hive_partitioning = false, filename = true);
