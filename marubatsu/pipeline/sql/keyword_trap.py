"""The trap in a syntax error: a column whose name is also a keyword, such as ``cross``."""

import re
from bisect import bisect_right

import duckdb

_COLUMNS = """
    select keyword_name
    from duckdb_keywords()
    where keyword_category in ('reserved', 'type_function') and keyword_name in (
        select lower(column_name) from duckdb_columns()
    )
"""


def keyword_hint(connection: duckdb.DuckDBPyConnection, sql: str) -> str:
    """Return what to do about a keyword where SQL cannot be parsed; nothing for another fault.

    DuckDB blames the keyword or the word after it, so both are compared with the columns.
    """
    asked = "select (json_serialize_sql($1)->>'position')::int"
    ((position,),) = connection.execute(asked, [sql]).fetchall()
    if position is None:
        return ""
    starts = [start for start, kind in duckdb.tokenize(sql) if kind != duckdb.token_type.comment]
    at = bisect_right(starts, position)
    columns = {name for (name,) in connection.execute(_COLUMNS).fetchall()}
    for start in reversed(starts[max(0, at - 2) : at]):
        found = re.match(r"\w+", sql.encode()[start:].decode())
        if found and (word := found[0].lower()) in columns:
            return f'; {word} is a keyword of SQL: write the column as "{word}", in double quotes'
    return ""
