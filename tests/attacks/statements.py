"""Hostile SQL, which tries files, network, settings, writes, and all that a machine has.

In a statement, SECRET is the path of a file and FOLDER that of its folder.
"""

# ruff: noqa: RUF001, S608

FILES = (
    "select * from read_text('SECRET')", "select * from read_blob('SECRET')",
    "select * from read_csv('SECRET')", "select * from read_json('SECRET')",
    "select * from read_ndjson_objects('SECRET')", "select * from read_parquet('SECRET')",
    "select * from parquet_metadata('SECRET')", "select * from read_text('FOLDER/*')",
    "select * from read_text('file://SECRET')", "select * from read_text('/proc/self/environ')",
    "select * from read_text('/dev/stdin')",
    "select * from read_text('../../../../../../etc/passwd')",
    "select * from read_parquet('/proc/self/fd/4')", "select * from glob('FOLDER/*')",
    "select * from 'SECRET'", 'select * from "SECRET"',
    "from query('select * from read_text(''SECRET'')')",
    "from query_table(['positions', 'SECRET'])",
    "with x as materialized (from read_text('SECRET')) from x",
    "select * from positions, lateral (select * from read_text('SECRET'))",
    "explain analyze select * from read_text('SECRET')", "select * from sqlite_scan('SECRET', 'x')",
    "select * from st_read('SECRET')", "select * from iceberg_scan('FOLDER')",
    "select * from arrow_scan(0, 0, 0)", "select * from python_map_function(1)",
    "select * from scan_arrow_ipc([{ptr: 1::ubigint, size: 1::ubigint}])",
    "from json_execute_serialized_sql(json_serialize_sql('from read_text(''SECRET'')'))",
    "select file_exists('SECRET')", "select * from duckdb_logs()",
    "select * from write_log('x', level := 'error')",
    "select * from read_csv('http://127.0.0.1:9/x')",
    "select * from read_text('https://example.org/')", "select * from read_parquet('s3://x/y')",
    "select * from 'http://127.0.0.1:9/x.csv'", "select * from mysql_query('x', 'y')",
    "select http_get('http://127.0.0.1:9')", "call start_ui()", "attach 'http://127.0.0.1:9/x.db'",
    "install httpfs from 'http://127.0.0.1:9'",
)  # fmt: skip
"""Reading files and reaching others."""

MACHINE = (
    "select getenv('MARUBATSU_SECRET')", "select getvariable('files')",
    "select current_setting('home_directory')", "select current_setting('temp_directory')",
    "select current_setting('allowed_directories')", "select * from duckdb_settings()",
    "select * from duckdb_variables()", "select * from duckdb_databases()",
    "select * from duckdb_secrets()", "select * from which_secret('s3://x', 's3')",
    "select * from duckdb_views()", "select * from duckdb_functions()",
    "select * from duckdb_temporary_files()", "select * from duckdb_external_file_cache()",
    "select * from duckdb_open_files()", "select * from information_schema.tables",
    "select * from pg_catalog.pg_settings", "select * from pragma_database_list()",
    "select * from pragma_storage_info('positions')",
    "select * from pragma_last_profiling_output()", "select * from test_all_types()",
    "select * from sql_auto_complete('select * from re')",
    "select current_database(), current_schema(), current_user, session_user",
    "select current_query(), current_connection_id(), txid_current()",
    "show all tables", "show variables",
)  # fmt: skip
"""Statements about the machine and its user."""

CHANGES = (
    "attach 'FOLDER/new.db'", "attach or replace 'SECRET' as main", "detach memory",
    "copy (select 1) to 'FOLDER/new' (format parquet)", "copy (select 1) to 'SECRET' (format csv)",
    "copy positions from 'SECRET'", "export database 'FOLDER/new'", "import database 'FOLDER'",
    "checkpoint", "vacuum", "analyze", "install json", "load 'SECRET'",
    "set memory_limit = '100GB'", "set enable_external_access = true",
    "set lock_configuration = false", "set allowed_paths = ['SECRET']",
    "set temp_directory = 'FOLDER'", "set log_query_path = 'FOLDER/log'", "set variable x = 1",
    "reset lock_configuration", "pragma enable_profiling", "pragma profiling_output = 'FOLDER/new'",
    "pragma database_list", "call pragma_table_info('positions')", "call enable_logging()",
    "call dbgen(sf = 1)", "create secret x (type s3)", "drop secret x",
    "create table x as select 1", "create or replace view positions as select 1",
    "create function x() as table select * from read_text('SECRET')",
    "create schema x", "create type x as enum ('a')", "alter table positions add column x int",
    "comment on table positions is 'x'", "drop table if exists positions", "truncate positions",
    "delete from positions", "update positions set score = 0",
    "insert into positions select * from positions",
    "merge into positions using positions x on true when matched then delete",
    "with x as (insert into positions select * from positions returning *) from x",
    "with x as (delete from positions returning *) select count(*) from x",
    "with x as (copy positions to 'FOLDER/new') from x", "explain analyze delete from positions",
    "explain attach 'FOLDER/new.db'", "select * into x from positions",
)  # fmt: skip
"""Writing to the data and to files, and changing what is allowed."""

STATEMENTS = (
    "select 1; select 2", ";", "select 1;\0", "select 1 /* ; */; -- ;\n; drop table positions",
    "/* open", "-- \r\nselect 1", "begin; delete from positions; commit", "begin transaction",
    "commit", "prepare x as select 1", "execute x", "select ?", "select $x",
    "declare x cursor for select 1", "do $$ select 1 $$", "select $$; drop table positions; $$",
    "values (1); values (2)", "grant all on positions to public", "lock table positions",
    ".read SECRET", "\\! cat SECRET", "pivot positions on ply using count(*)",
)  # fmt: skip
"""More than one statement, and kinds of statements."""

LIMITS = (
    "select length(repeat('x', 4000000000))", "select repeat('x', 400000000)",
    "select printf('%.2000000000f', 1.0)", "select printf('%n%s%p', 1, 2, 3)",
    "select format('{}{}{}', 1)", "select format('{0:{1}}', 1, 2000000000)",
    "select range(10000000000)", "select * from range(10000000000000)",
    "select list(i) from range(1000000000) t(i)", "select list_resize([1], 4000000000)",
    "select string_agg(repeat('x', 1000), '') from range(10000000)",
    "select bit_count(repeat('1', 1000000000)::bit)",
    "select histogram(i) from range(100000000) t(i)",
    "select count(*) from range(1000000) a, range(1000000) b where a.range * b.range = 7",
    "select * from range(100000000) order by random()",
    "with recursive r as (select 1 i union all select i + 1 from r) select count(*) from r",
    "select list_reduce(range(100000000), lambda a, b: a + b)",
    "select regexp_matches(repeat('a', 1000000), '(a*)*b')",
    "select regexp_matches('a', 'a{1000}{1000}{1000}')",
    "select regexp_replace(repeat('a', 1000000), '', repeat('x', 10000), 'g')",
    "select levenshtein(repeat('a', 1000000), repeat('b', 1000000))",
    "select replace(repeat('x', 1000000), 'x', repeat('y', 10000))",
    "select power(10, 400), exp(1e9), 1 // 0, 1 % 0",
    "select -170141183460469231731687303715884105728 // -1",
    "select 1e400, 1e-400, 'nan'::double, '-inf'::float",
    "select sum(9223372036854775807) from range(10)",
    "select interval '99999999 months' + date '9999-12-31'",
    "select 'infinity'::timestamp + interval '1 day', '-infinity'::date",
    "select date '5881580-07-10', date '290309-12-22 (BC)'", "select make_date(2147483647, 12, 31)",
    "select strftime(now(), repeat('%Y', 1000000))",
    "select json_extract('{}', '$' || repeat('.a', 1000000))",
    "select json(repeat('[', 1000000))",
    "select json_structure(repeat('[', 5000) || repeat(']', 5000))",
    "select '\\xff'::blob::varchar, chr(0), chr(1114111), chr(55296)",
    "select decode('\\xff\\xfe'::blob)", "select sleep_ms(100000)",
    "select error(repeat('x', 100000000))", "select * from unnest(range(1000000000))",
    "select * from positions tablesample reservoir(1000000000 rows)",
    "select * from positions limit -1",
    "from positions a, positions b, positions c, positions d, positions e, positions f",
)  # fmt: skip
"""Memory and time, numbers and dates at their ends."""

SHAPES = {
    "nested parentheses": "select " + "(" * 5_000 + "1" + ")" * 5_000,
    "nested lists": "select " + "[" * 5_000 + "]" * 5_000,
    "nested types": "select null::" + "struct(a " * 500 + "int" + ")" * 500,
    "nested cases": "select " + "case when true then " * 3_000 + "1" + " end" * 3_000,
    "nested comments": "select 1 " + "/*" * 50_000,
    "many signs": "select " + "- " * 20_000 + "1",
    "a long sum": "select " + "+".join(["1"] * 20_000),
    "a long list": f"select 1 in ({','.join(map(str, range(50_000)))})",
    "many columns": "select " + ",".join(f"{i} c{i}" for i in range(10_000)),
    "many equal columns": "select " + ",".join(["1 as x"] * 10_000),
    "many joins": "select count(*) from positions"
    + "".join(f" join positions p{i} using (position)" for i in range(300)),
    "many names": "with " + ",".join(f"c{i} as (select 1)" for i in range(5_000)) + " from c0",
    "names that double": "with c0 as (select 1 x),"
    + ",".join(f"c{i} as (from c{i - 1} union all from c{i - 1})" for i in range(1, 40))
    + " select count(*) from c39",
    "many rows": "values " + ",".join(["(1)"] * 50_000),
    "a long name": f'select 1 as "{"x" * 1_000_000}"',
    "a long text": f"select '{'x' * 1_000_000}'",
    "an open text": "select '" + "x" * 100_000,
    "spaces": "select" + " " * 1_000_000 + "1",
    "grouping sets": "select count(*) from positions group by cube("
    + ",".join(f"ply + {i}" for i in range(12)) + ")",
    "a name with an escape sequence": 'select 1 as "\x1b[2J\x1b]0;owned\x07"',
    "a name with control characters": 'select 1 as "' + "".join(map(chr, range(1, 32))) + '"',
    "a name from right to left": 'select 1 as "\u202e\u2066gnp.exe\u2069"',
    "a name of nothing": 'select 1 as ""',
    "a name with zero": 'select 1 as "\0"',
    "an unknown name with an escape sequence": 'select "\x1b[2J"',
    "an unknown table with an escape sequence": 'from "\x1b]0;owned\x07"',
    "an error with an escape sequence": "select error(chr(27) || '[2J' || chr(8238))",
    "a text with an escape sequence": "select chr(27) || '[2J', chr(155) || '2J', chr(8238)",
    "a cast with an escape sequence": "select (chr(27) || '[2J')::int",
    "a list with an escape sequence": "select [chr(27) || '[2J'], {'a': chr(27)}",
    "a key with an escape sequence": "select map([chr(27) || '[2J'], [chr(155)])",
    "a type with an escape sequence": "select 'a'::enum('a', '\x1b[2J')",
    "zero in a text": "select 'a\0b'",
    "zero alone": "\0",
    "other spaces": "select\u00a01\u2003as\u3000x",
    "letters of full width": "ｓｅｌｅｃｔ 1",
    "half a character": "select '\ud83d'",
    "beyond Unicode's end of use": "select '\U0010ffff\ufffe'",
    "a mark of byte order": "\ufeffselect 1",
    "combining marks": "select '" + "e" + "\u0301" * 100_000 + "'",
}  # fmt: skip
"""Depth, length and characters, by what they are."""

FAMILIES: dict[str, dict[str, str]] = {
    "files and network": {each: each for each in FILES},
    "machine": {each: each for each in MACHINE},
    "changes": {each: each for each in CHANGES},
    "statements": {each: each for each in STATEMENTS},
    "limits": {each: each for each in LIMITS},
    "shapes": SHAPES,
}
