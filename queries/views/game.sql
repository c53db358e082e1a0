-- grain: the game of the tables, read from its notation in a file's footer
-- stored: the game alone says it, and every check reads it
-- `check` fails for a game with a rule that is not below. Add a rule only when the views know it.
create or replace view game as
with notation as (
    select
        decode(value) as notation,
        string_split(notation, '-')[2:] as rules,
    from parquet_kv_metadata(getvariable('footer'))
    where decode(key) = 'marubatsu.game'
)
select
    notation,
    regexp_extract(notation, '^(\d+)x(\d+)k(\d+)', 1)::int as columns,
    regexp_extract(notation, '^(\d+)x(\d+)k(\d+)', 2)::int as rows,
    regexp_extract(notation, '^(\d+)x(\d+)k(\d+)', 3)::int as run,
    list_contains(rules, 'gravity') as gravity,
    list_contains(rules, 'misere') as misere,
    list_contains(rules, 'torus') as torus,
    columns * rows as cells,
    list_filter(rules, lambda rule: rule not in ('gravity', 'misere', 'torus')) as unknown_rules,
    case when misere then 'cross' else 'circle' end as result_of_circle_line,
    case when misere then 'circle' else 'cross' end as result_of_cross_line,
    'draw' as result_of_full_board,
from notation;
