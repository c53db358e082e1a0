"""DuckDB's syntax tree of a statement, and the views that the statement reads."""

import json
from collections.abc import Iterator
from typing import Any

import duckdb

from marubatsu.pipeline.sql.query_files import views

Node = dict[str, Any]
"""A part of the tree."""

_MAKES_ROWS = {"range", "generate_series", "unnest", "repeat"}
"""Functions in place of a table that read no table."""


def parsed(connection: duckdb.DuckDBPyConnection, sql: str) -> Node | None:
    """Return the syntax tree of a select; None for other SQL."""
    ((text,),) = connection.execute("select json_serialize_sql($1)", [sql]).fetchall()
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


def names_here(tree: Node) -> set[str]:
    """Return the names of the common table expressions."""
    tables = (table for node in nodes(tree) for table in node.get("cte_map", {}).get("map", []))
    return {table["key"].lower() for table in tables}


def views_read(connection: duckdb.DuckDBPyConnection, sql: str) -> frozenset[str]:
    """Return the names of the views and macros that a statement reads, and those that they read.

    Where the tree does not tell, because a function may read anything, these are all.
    """
    known = {view.name: view for view in views()}
    tree = parsed(connection, sql)
    named = None if tree is None else _named(tree, frozenset(known))
    if named is None:
        return frozenset(known)
    read: set[str] = set()
    while named:
        name = named.pop()
        if name not in read:
            read.add(name)
            named.update(known[name].sources(known))
    return frozenset(read)


def _named(tree: Node, known: frozenset[str]) -> set[str] | None:
    """Return the views and macros in a tree; None when it may read others as well."""
    here, named = names_here(tree), set()
    for node in nodes(tree):
        name = str(node.get("function_name", "")).lower()
        match node.get("type"):
            case "BASE_TABLE":
                name = node["table_name"].lower()
                if node["schema_name"] or name not in known | here:
                    return None
                named.add(name)
            case "TABLE_FUNCTION" if _function(node) not in _MAKES_ROWS:
                return None
            case "SHOW_REF":
                return None
            case "FUNCTION":
                named.add(name)
    return named & known


def _function(node: Node) -> str:
    """Return the name of a function in place of a table."""
    return str(node["function"]["function_name"]).lower()
