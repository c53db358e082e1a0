"""SQL statements and what they read; the SQL files of ``queries/``, one statement per file.

A file has a header: the comment lines above its statement that read ``-- key: value``::

    question     what the statement answers, in words
    grain        what one row of the answer is, in words
    stored       in views: why a catalog stores the rows instead of deriving them in each statement
    parameters   in look-ups: the values for the ?, in their order
    examines     in checks: the relation whose rows the check goes over
    for each     in checks: a column of that relation; the check runs once for each of its values,
                 and the variable of that name holds the value
    sampled by   in checks of solutions: ``key`` where a check of many classes examines the rows
                 from the variable ``first_key`` to ``last_key``, which are null for all; ``ply``
                 where a check of many rows examines some plies
    empty when   in checks: why there may be no rows to examine; without it such a check fails

Which tables and views a statement reads is in its syntax tree, which DuckDB makes; a statement is
parsed when that is first needed.
"""

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from graphlib import TopologicalSorter
from typing import Any, NamedTuple

import duckdb

from marubatsu.engine.rules.input_error import expectation, quote
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.events import held_back
from marubatsu.pipeline.support.resources import QUERIES

Node = dict[str, Any]
"""A part of the syntax tree of a statement."""

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


@held_back()  # A signal during a statement is an error of DuckDB, a RuntimeError.
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


@held_back()
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


_HEADER = re.compile(
    r"^-- (question|grain|stored|parameters|examines|for each|sampled by|empty when): (.*)$",
    re.MULTILINE,
)
_CREATES = re.compile(
    r"^create or replace (?:view|table|macro) \w+(?:\((?P<takes>[\w, ]+)\))? as(?P<rows> table)?\b",
    re.MULTILINE,
)

_PARTS = "solution"
"""The table whose files are the variable ``parts``."""

_FOOTED = {"positions", "value_counts", "answers", "proofs", "techniques"}
"""The tables of which one is the variable ``footer``: every game with data has one of them."""


@dataclass(frozen=True)
class Query:
    """One statement with its header: its question, and the grain of its answer."""

    name: str
    sql: str
    question: str = ""
    grain: str = ""
    stored: str = ""
    parameters: tuple[str, ...] = ()
    examines: str = ""
    each: str = ""
    sampled_by: str = ""
    empty_when: str = ""

    @property
    def statement(self) -> str:
        """The SQL without its header."""
        return _HEADER.sub("", self.sql).strip().removesuffix(";")

    @property
    def takes(self) -> str:
        """The parameters of a macro; nothing for a view."""
        creates = _CREATES.search(self.sql)
        return (creates and creates["takes"]) or ""

    @property
    def creation(self) -> str:
        """The statement that creates the view; a report becomes one."""
        if _CREATES.search(self.sql):
            return self.sql
        return f"create or replace view {self.name} as\n{self.statement};\n"

    @property
    def storage(self) -> str:
        """The statement that stores the rows of the view as a temporary table."""
        return self.creation.replace("create or replace view", "create temp table", 1)

    @cached_property
    def sources(self) -> Sources:
        """What the statement itself reads. Raises LookupError when it reads an unknown relation."""
        creates, select = _CREATES.search(self.sql), self.sql
        if creates:
            is_value = creates["takes"] and not creates["rows"]
            select = ("select " if is_value else "") + self.sql[creates.end() :]
        read = sources(select, relations())
        if read is None:
            raise LookupError(f"{self.name} reads a relation that is no view")
        return read

    @cached_property
    def views(self) -> "list[Query]":
        """The views and macros that must be there, each after those that it reads."""
        return in_order([*self.sources.views, *filter(None, [self.examines])])

    @cached_property
    def tables(self) -> frozenset[str]:
        """The tables that the statement itself reads."""
        return self.sources.tables | ({_PARTS} if "parts" in self.sources.variables else set())

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """The tables that must be there, and ``solution`` for each table of a solution."""
        from marubatsu.pipeline.tables.solved_schemas import DECLARED, SOLVED

        read = frozenset[str]().union(*(query.tables for query in (self, *self.views)))
        names = (_PARTS if table in SOLVED else table for table in DECLARED if table in read)
        return tuple(dict.fromkeys(names))

    @property
    def files(self) -> set[str]:
        """The tables whose files the statement opens."""
        return tables_to_open([self, *self.views])


@cache
def folder(kind: str) -> Mapping[str, Query]:
    """Return the statements of a folder of ``queries/``, by name, in alphabetical order."""
    paths = sorted((QUERIES / kind).glob("*.sql"))
    return {path.stem: _query(path.stem, path.read_text(encoding="utf-8")) for path in paths}


def reports() -> Mapping[str, Query]:
    """Return the reports: answers to questions, by name."""
    return folder("reports")


def checks() -> Mapping[str, Query]:
    """Return the checks by name. A check returns counterexamples; it passes without any."""
    return folder("checks")


def report(name: str) -> Query:
    """Return one report. Raises UsageError, with names like it, when there is none."""
    if name not in reports() and name in relations():
        raise UsageError(
            f"there is no report {quote(name)}, which is a table or a view: read it by the SQL "
            f"'from {name}'"
        )
    return _named(name, reports(), "report")


def check(name: str) -> Query:
    """Return one check. Raises UsageError, with names like it, when there is none."""
    return _named(name, checks(), "check")


def lookup(name: str) -> Query:
    """Return one query of our own code. Raises KeyError when there is none."""
    return folder("lookups")[name]


@cache
def relations() -> Mapping[str, Query]:
    """Return what a statement can read, by name: views, macros, and each report as a view."""
    return {**folder("reports"), **folder("views")}


def views() -> list[Query]:
    """Return what a statement can read, each after that which it reads itself."""
    return in_order(relations())


def in_order(names: Iterable[str]) -> list[Query]:
    """Return some views and those that they read, each after those that it reads.

    The same views always get the same order. Raises graphlib.CycleError when views read each other
    in a circle.
    """
    graph: dict[str, list[str]] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in graph:
            graph[name] = sorted(relations()[name].sources.views)
            waiting += graph[name]
    sorter = TopologicalSorter(dict(sorted(graph.items())))
    return [relations()[name] for name in sorter.static_order()]


def views_read(sql: str) -> list[Query]:
    """Return the views and macros that a statement reads, each after those that it reads.

    Where its tree does not show them, because it may read anything, these are all.
    """
    read = sources(sql, relations())
    return views() if read is None else in_order(read.views)


def tables_to_open(queries: Iterable[Query]) -> set[str]:
    """Return the tables that some statements themselves read, and those with a footer if needed."""
    tables = set[str]()
    for query in queries:
        tables |= query.tables | (_FOOTED if "footer" in query.sources.variables else set())
    return tables


def _named(name: str, queries: Mapping[str, Query], kind: str) -> Query:
    if name not in queries:
        raise UsageError(f"there is no {kind} {quote(name)}: {expectation(name, sorted(queries))}")
    return queries[name]


def _query(name: str, text: str) -> Query:
    """Read one statement with its header."""
    header = {
        key.removeprefix("for ").replace(" ", "_"): value for key, value in _HEADER.findall(text)
    }
    parameters = tuple(filter(None, header.pop("parameters", "").split(", ")))
    return Query(name, text, parameters=parameters, **header)
