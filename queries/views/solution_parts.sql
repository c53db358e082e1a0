-- grain: one file of a solution, with its place in the index and the number of rows in its footer
create or replace view solution_parts as
with
-- Patterns, as in solution_files.
named as (
    select
        unnest(getvariable('parts')) as pattern,
        unnest(getvariable('places'), max_depth := 2),
)

select
    ply::tinyint as ply,
    first_key::bigint as first_key,
    rows::bigint as rows,
    num_rows as rows_of_file,
from named
left join parquet_file_metadata(getvariable('parts')) as footers
    on footers.file_name = regexp_replace(pattern, '\[([*?[])\]', '\1', 'g');
