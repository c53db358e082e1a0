-- grain: one row of the index, as the files have it: the value is null where it shows no class
create or replace view solution_files as
with
files as (
    select file_index, file_row_number, value
    from read_parquet(
        coalesce(getvariable('drawn_parts'), getvariable('parts')),
        hive_partitioning = false, file_row_number = true
    )
),

-- A check of a sample names the parts that it needs.
part_places as (
    select unnest(coalesce(getvariable('drawn_places'), getvariable('places')), max_depth := 2)
)

-- DuckDB opens only the files that a join of equal types can match. A list in a projection it would
-- copy for every 2,048 rows.
select
    ply::tinyint as ply,
    first_key::bigint + file_row_number as key,
    value,
from files
join part_places on files.file_index = part_places.file_index::ubigint;
