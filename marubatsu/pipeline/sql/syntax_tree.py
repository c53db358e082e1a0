"""DuckDB's syntax tree of a statement, and what the statement reads."""

import json
from collections.abc import Container, Iterator
from functools import cache
from typing import Any, NamedTuple

import duckdb

Node = dict[str, Any]
"""A part of the tree."""

_READS_NO_VIEW = {
    "range", "generate_series", "unnest", "repeat", "read_parquet", "read_csv",
    "parquet_kv_metadata", "parquet_file_metadata",
}  # fmt: skip
"""Functions in place of a table that read no table or view."""

_BY_NAME = "query_table"
"""The function in place of a table that reads the tables and views whose names it gets."""


class Sources(NamedTuple):
    """What a statement itself reads: views and macros, files of tables, and variables."""

    views: frozenset[str]
    tables: frozenset[str]
    variables: frozenset[str]


def connect(memory: int | None = None, spill: str = "") -> duckdb.DuckDBPyConnection:
    """Open a database in memory, without extensions; beyond ``memory`` bytes it uses ``spill``."""
    settings: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "temp_directory": spill,
        "python_enable_replacements": False,
    }
    if memory:
        settings["memory_limit"] = f"{memory}B"
    connection = duckdb.connect(":memory:", config=settings)
    # On a terminal, the bar would stand on stdout between the lines that a program prints. Jupyter
    # without ipywidgets has none, and refuses the setting, whatever the value.
    if connection.execute("select current_setting('enable_progress_bar')").fetchone() == (True,):
        connection.execute("set enable_progress_bar = false")
    return connection


@cache
def parser() -> duckdb.DuckDBPyConnection:
    """Return the connection of this process that parses; threads take a cursor of it."""
    return connect()


def syntax_tree(sql: str) -> Node | None:
    """Return the tree of a select; None for other SQL."""
    ((text,),) = parser().cursor().execute("select json_serialize_sql($1)", [sql]).fetchall()
    tree: Node = json.loads(text)
    return None if tree["error"] else tree


def nodes(tree: Any) -> Iterator[Node]:
    """Yield every part of a tree."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node


def common_tables(tree: Node) -> set[str]:
    """Return the names of the common table expressions."""
    tables = (table for node in nodes(tree) for table in node.get("cte_map", {}).get("map", []))
    return {table["key"].lower() for table in tables}


def sources(sql: str, views: Container[str]) -> Sources | None:
    """Return what a statement reads; None when it may read any of the ``views``.

    It may where it is no select, names another relation, or calls a function that may read any.
    """
    tree = syntax_tree(sql)
    names = None if tree is None else _views(tree, views)
    return None if names is None else Sources(names, *_files(tree))


def _views(tree: Node, views: Container[str]) -> frozenset[str] | None:
    """Return the views and macros that a tree names; None when it may read others as well."""
    common, read = common_tables(tree), set[str]()
    for node in nodes(tree):
        match node:
            case {"type": "BASE_TABLE", "table_name": name, "schema_name": schema}:
                if schema or not (name.lower() in views or name.lower() in common):
                    return None
                read.add(name.lower())
            case {"type": "TABLE_FUNCTION", "function": {"function_name": name, "arguments": of}}:
                is_by_name = name == _BY_NAME or name in views
                names = _names(of) if is_by_name else None
                if names is None and name not in _READS_NO_VIEW:
                    return None
                read.update(names or ())
            case {"type": "SHOW_REF"}:
                return None
            case {"type": "FUNCTION", "function_name": name}:
                read.add(name.lower())
    return frozenset(name for name in read if name in views)


def _files(tree: Node | None) -> tuple[frozenset[str], frozenset[str]]:
    """Return the tables of which a tree names the files, and the variables that it reads."""
    tables, variables = set[str](), set[str]()
    for node in nodes(tree):
        match node:
            case {
                "type": "ARRAY_EXTRACT",
                "children": [{"function_name": "getvariable"}, {"literal": {"text": table}}],
            }:
                tables.add(table)
            case {"function_name": "getvariable", "arguments": arguments}:
                variables.update(_names(arguments) or ())
    return frozenset(tables), frozenset(variables)


def _names(arguments: list[Node]) -> set[str] | None:
    """Return the texts and columns that are arguments of a function; None when one is neither.

    A column in a macro is a parameter of the macro.
    """
    names = set()
    for argument in arguments:
        match argument["expression"]:
            case {"literal": {"text": str(name)}} | {"column_names": [str(name)]}:
                names.add(name.lower())
            case _:
                return None
    return names
