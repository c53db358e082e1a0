"""The tables and views of a game as DuckDB relations, for a user's own program."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.sql.query_files import connect, relations, views
from marubatsu.pipeline.sql.view_script import file_names, parts_of_solution, view_script
from marubatsu.pipeline.stages.on_demand import built_if_quick, why_missing
from marubatsu.pipeline.stages.usable import (
    files_of_tables,
    open_parts,
    require_unchanged,
    require_usable,
    tables_of,
)
from marubatsu.pipeline.support.errors import OptionError, UsageError
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.open_file import Opened, OpenFile, dataset_of


class Tables:
    """The tables of a game: each is an attribute, a DuckDB relation.

    The constructor opens all files and compares their hashes; a relation reads them when it is
    evaluated. Raises DataError when there are no tables, or a file is damaged.
    """

    def __init__(self, data_set: DataSet) -> None:
        self._data_set = data_set
        with data_set.lock(write=False):
            opened = open_parts(data_set, require_usable)
        self._tables = tables_of(opened)
        self._connection = connect()
        with require_unchanged(opened):
            self._connection.execute(view_script(file_names(opened)))
            _watch(self._connection, opened)
        _keep(self._connection, opened)
        self._names = [view.name for view in views() if self._tables.issuperset(view.needs)]

    def sql(
        self, statement: str, parameters: Mapping[str, object] | None = None
    ) -> duckdb.DuckDBPyRelation:
        """Run a statement that reads, with values for its ``$name``, without a sandbox.

        Raises UsageError for a text without a statement, or other values than a mapping, and what
        DuckDB raises for a wrong one.
        """
        _require_statement(self._connection, statement)
        if not isinstance(parameters, Mapping | None):
            raise OptionError("parameters", parameters, "expected a mapping from names to values")
        values = {
            name: value.item() if isinstance(value, np.generic) else value
            for name, value in (parameters or {}).items()
        }
        return self._connection.sql(statement, params=values or None)

    def __getattr__(self, name: str) -> duckdb.DuckDBPyRelation:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._names:
            needs = relations()[name].needs if name in relations() else ()
            missing = [table for table in needs if table not in self._tables]
            remedy = (
                why_missing(self._data_set, missing)
                if missing
                else f"expected one of {', '.join(self._names)}"
            )
            raise AttributeError(f"{self._data_set.game.name} has no table {name!r} here: {remedy}")
        return self._connection.table(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __repr__(self) -> str:
        return f"<tables of {self._data_set.game.name}: {', '.join(self._names)}>"


def _require_statement(connection: duckdb.DuckDBPyConnection, statement: object) -> None:
    try:
        found = isinstance(statement, str) and connection.extract_statements(statement)
    except TypeError:  # It is no Unicode.
        found = []
    if not found:
        raise UsageError(f"{quote(statement)} holds no statement: expected SQL")


def _watch(connection: duckdb.DuckDBPyConnection, opened: Mapping[str, Opened]) -> None:
    """Let Arrow read the files that are no copies: a changed one ends the query that reads it."""
    read = files_of_tables(opened)
    watched = {
        name: dataset_of([file.open() for file in files])
        for name, files in read.items()
        if _are_watched(files)
    }
    parts = list(parts_of_solution(opened))
    if _are_watched([file for _, file in parts]):
        from marubatsu.pipeline.sql.solution_rows import PartRows

        watched["solution_files"] = PartRows(
            [(place, file.open(), str(near(file.path))) for place, file in parts]
        )
    for view, rows in watched.items():
        connection.register(f"watched_{view}", rows)
        connection.execute(f"create or replace view {view} as from watched_{view}")


def _are_watched(files: Iterable[OpenFile]) -> bool:
    """Whether somebody may change one of these files while it is read."""
    return not all(file.is_copied for file in files)


class _Kept(np.ndarray[Any, Any]):
    """An array that keeps the open files."""

    opened: Mapping[str, Opened]


def _keep(connection: duckdb.DuckDBPyConnection, opened: Mapping[str, Opened]) -> None:
    """Keep the files open until the last relation has gone, which keeps what is registered."""
    kept = np.zeros(0).view(_Kept)
    kept.opened = opened
    connection.register("open_files", {"nothing": kept})


def tables(game: Game | str = "tictactoe", *, data: str | Path | None = None) -> Tables:
    """Open the tables of a game: each is an attribute, a DuckDB relation.

    A relation becomes a table of Arrow, Polars or pandas by DuckDB's own ``.to_arrow_table()``,
    ``.pl()`` and ``.df()``. ``dir()`` lists the names; data/README.md describes every column, with
    its unit and its point of view. Each thread opens tables of its own: DuckDB refuses a call while
    another runs.

    Raises InputError for a name of no game, and DataError when there are no tables or a file is
    damaged; AttributeError for a table that is not there.

    >>> tables("tictactoe").positions.filter("critical").count("*").fetchall()
    [(3191,)]
    """
    return Tables(built_if_quick(game, data))


def sql(
    statement: str,
    game: Game | str = "tictactoe",
    *,
    parameters: Mapping[str, object] | None = None,
    data: str | Path | None = None,
) -> duckdb.DuckDBPyRelation:
    """Run SQL over the tables and views of a game, without a sandbox: only for your own SQL.

    ``parameters`` are values for names such as ``$name`` in the statement. The returned relation
    reads the files when it is evaluated. For other people's SQL use ``marubatsu sql``.

    Raises UsageError for a text without a statement, and as `tables` does. A wrong statement raises
    what DuckDB raises, a ``duckdb.Error``.

    >>> sql("select count(*) from positions where score > $s", parameters={"s": 0}).fetchall()
    [(2936,)]
    """
    return tables(game, data=data).sql(statement, parameters)
