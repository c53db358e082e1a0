-- grain: the game of the tables, read from its notation in a file's footer
create or replace view game as
with notation as (
    select decode(value) as notation
    from parquet_kv_metadata(getvariable('footer'))
    where decode(key) = 'marubatsu.game'
)
select
    notation,
    regexp_extract(notation, '^(\d+)x(\d+)k(\d+)', 1)::int as columns,
    regexp_extract(notation, '^(\d+)x(\d+)k(\d+)', 2)::int as rows,
    regexp_extract(notation, '^(\d+)x(\d+)k(\d+)', 3)::int as run,
    notation like '%-gravity%' as gravity,
    notation like '%-misere%' as misere,
    notation like '%-torus%' as torus,
    columns * rows as cells,
from notation;
