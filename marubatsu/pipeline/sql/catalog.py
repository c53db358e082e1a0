"""DuckDB over one verified data set: the views of ``queries/``, and our own queries.

Only SQL that ships with the package runs here; SQL from a user runs in `pipeline.sql.sandbox`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, TypeVar

import duckdb

from marubatsu.pipeline.sql.query_files import Query, connect, in_order, views_read
from marubatsu.pipeline.sql.view_script import file_names, variable_script, with_paths
from marubatsu.pipeline.stages.on_demand import lacking, require_tables
from marubatsu.pipeline.stages.usable import (
    open_parts,
    require_unchanged,
    require_usable,
    tables_of,
    unreadable,
)
from marubatsu.pipeline.support.background import in_background
from marubatsu.pipeline.support.errors import DamagedError, DataError
from marubatsu.pipeline.support.events import held_back
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.open_file import Opened
from marubatsu.pipeline.tables.output import Rows

_Result = TypeVar("_Result")


class QueryError(DamagedError):
    """An error for one of our own queries, whose tables have rows that no build writes."""


class Catalog:
    """The tables of one game under their names, open for queries."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, data_set: DataSet, opened: Mapping[str, Opened]
    ) -> None:
        """Take a connection on which the variables of open parts are set; see `open_catalog`.

        A view is created when a statement names it: most statements name few, and DuckDB plans each
        view that it creates. One whose header says ``stored`` is a table.
        """
        self._connection = connection
        self._created: set[str] = set()
        self.data_set = data_set
        self.opened = opened
        self.tables = tables_of(opened)

    def ask(self, query: Query, *values: object) -> Rows:
        """Run a query with values for its parameters. Raises DataError when a table is missing."""
        return self._rows(query.sql, values, self._views_of(query))

    def columns(self, query: Query, *values: object) -> dict[str, Any]:
        """Run a query with values for its parameters; return its columns as NumPy arrays.

        Raises DataError when a table that it needs is missing, DamagedError when a file changes.
        """
        return self._asked(query.sql, values, self._views_of(query), lambda all_: all_.fetchnumpy())

    def require(self, reader: str, *tables: str) -> None:
        """Raise DataError, with the remedy, when a table is missing."""
        require_tables(self.data_set, self.tables, reader, *tables)

    def run(self, sql: str, parameters: list[Any] | None = None) -> Rows:
        """Run our own SQL, with parameters for its ``?``.

        Raises DataError when memory runs out, DamagedError when a file changes meanwhile, and
        QueryError when DuckDB cannot run it.
        """
        return self._rows(sql, parameters or (), views_read(sql))

    def _views_of(self, query: Query) -> list[Query]:
        """Return the views that a query reads. Raises DataError when a table is missing."""
        self.require(query.name, *query.needs)
        return query.views

    def _rows(self, sql: str, values: Sequence[object], views: Iterable[Query] = ()) -> Rows:
        def fetch(result: duckdb.DuckDBPyConnection) -> Rows:
            return Rows([column[0] for column in result.description], result.fetchall())

        return self._asked(sql, values, views, fetch)

    def _asked(
        self,
        sql: str,
        values: Sequence[object],
        views: Iterable[Query],
        fetch: Callable[[duckdb.DuckDBPyConnection], _Result],
    ) -> _Result:
        """Execute a statement after the views that it reads are created, and fetch its rows.

        Turn errors of DuckDB and of the files into ours.
        """

        def call() -> _Result:
            for view in views:
                if view.name not in self._created and self.tables.issuperset(view.needs):
                    self._connection.execute(view.storage if view.stored else view.creation)
                    self._created.add(view.name)
            return fetch(self._connection.execute(sql, list(values)))

        with require_unchanged(self.opened):
            try:
                return _interruptible(self._connection, call)
            except duckdb.Error as error:
                raise self._strange_rows(with_paths(str(error), self.opened)) from error

    def count(self, relation: str) -> int:
        """Count the rows of a table or view."""
        sql = "select count(*) from query_table(?)"
        return int(self._rows(sql, [relation], in_order([relation])).rows[0][0])

    def distinct(self, relation: str, column: str) -> list[Any]:
        """List the different values in a column of a table or view, ascending."""
        sql = f"select distinct {_identifier(column)} from query_table(?) order by all"  # noqa: S608
        return [value for (value,) in self._rows(sql, [relation], in_order([relation])).rows]

    @contextmanager
    def variables(self, values: Mapping[str, object]) -> Iterator[None]:
        """Set variables that queries read, until the end of the block."""
        for name, value in values.items():
            self._rows(f"set variable {_identifier(name)} = ?", [value])
        try:
            yield
        finally:
            for name in values:
                self._rows(f"reset variable {_identifier(name)}", [])

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Raise QueryError where code meets values in rows that no build writes."""
        try:
            yield
        except (ArithmeticError, LookupError, StopIteration, TypeError, ValueError) as error:
            raise self._strange_rows(f"{type(error).__name__} {error}") from error

    def replace(self, view: str, rows: Any) -> None:
        """Put an Arrow table in the place of a view that is no table, for all later queries."""
        source = _identifier(f"arrow_{view}")
        self._connection.register(source, rows)
        self._rows(f"create or replace view {_identifier(view)} as from {source}", [])
        self._created.add(view)

    def lacking(self, query: Query) -> str:
        """Name the tables that a query needs and that are missing, why, and what to do; or ""."""
        return lacking(self.data_set, self.tables, query.needs)

    def _strange_rows(self, why: str) -> QueryError:
        return QueryError(
            unreadable(self.data_set, self.opened)
            or f"{near(self.data_set.folder)} has rows that no build writes: {why}; "
            f"{self.data_set.cure('check')}"
        )


def _identifier(name: str) -> str:
    """Return a name that is safe in SQL. Raises ValueError for any other."""
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
        raise ValueError(f"expected a name of a-z, 0-9 and _, got {name!r}")
    return name


@contextmanager
def open_catalog(
    data_set: DataSet,
    require: Callable[[DataSet], Opened] = require_usable,
    memory: int | None = None,
) -> Iterator[Catalog]:
    """Open the tables and the solution of a game, where they exist, for queries.

    They stay open until the end, and builders need not wait for that. Queries that take more
    than ``memory`` bytes use the temporary folder of the machine. Without ``memory``, DuckDB's own
    limit holds, and no file is written.
    Raises DataError when nothing is there or something is damaged, naming the file, and the errors
    of ``require``.
    """
    with data_set.lock(write=False):
        opened = open_parts(data_set, require)
    buffers = memory * 4 // 5 if memory else None  # DuckDB limits only its buffers.
    with (
        _temporary_folder() if memory else nullcontext("") as folder,
        connect(buffers, folder) as connection,
    ):
        with require_unchanged(opened):
            script = variable_script(file_names(opened))
            _interruptible(connection, lambda: connection.execute(script))
        yield Catalog(connection, data_set, opened)


def _temporary_folder() -> AbstractContextManager[str]:
    from tempfile import TemporaryDirectory

    with held_back():  # Python removes the folder only once the object is complete.
        return TemporaryDirectory(prefix="marubatsu-")


def _interruptible(connection: duckdb.DuckDBPyConnection, call: Callable[[], _Result]) -> _Result:
    """Let DuckDB work in a thread of its own, so that Ctrl-C and SIGTERM end it.

    Raises DataError when memory runs out.
    """
    try:
        return in_background(call, connection.interrupt)
    except duckdb.OutOfMemoryException as error:
        raise DataError(
            "a query needs more memory than it may have; raise the option memory"
        ) from error
