-- grain: one row of the index, as the files have it: the value is null where it shows no class
-- needs: solution
create or replace view solution_files as
select
    getvariable('plies')[filename]::tinyint as ply,
    getvariable('first_keys')[filename]::bigint + file_row_number as key,
    value,
from read_parquet(
    getvariable('parts'), hive_partitioning = false, filename = true, file_row_number = true
);
