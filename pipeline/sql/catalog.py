"""DuckDB over one verified data set: the views of ``queries/``, and our own queries.

Only SQL that ships with the package runs here; SQL from a user runs in `pipeline.sql.sandbox`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from marubatsu.pipeline.sql.query_files import Query, views
from marubatsu.pipeline.store.data_set import DataSet, Solution
from marubatsu.pipeline.store.integrity import require_intact, tables_of
from marubatsu.pipeline.store.manifest import FILE as MANIFEST
from marubatsu.pipeline.store.manifest import Manifest
from marubatsu.pipeline.store.schemas import SOLUTION
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.output import Rows
from marubatsu.pipeline.support.resources import REFERENCE


class Catalog:
    """The tables of one game under their names, ready to be asked."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, data_set: DataSet, tables: frozenset[str]
    ) -> None:
        """Hold a connection on which the views exist; see `open_catalog`."""
        self._connection = connection
        self.data_set = data_set
        self.tables = tables

    def ask(self, query: Query) -> Rows:
        """Answer a query. Raises DataError when a table that it needs is not there."""
        self.require(query.name, *query.needs)
        return self.run(query.sql)

    def require(self, what: str, *tables: str) -> None:
        """Raise DataError, saying what to do, when a table is not there."""
        missing = [table for table in tables if table not in self.tables]
        if missing:
            raise DataError(
                f"{what} needs {' and '.join(missing)}: {why_missing(self.data_set, missing)}"
            )

    def run(self, sql: str, parameters: list[Any] | None = None) -> Rows:
        """Run SQL of our own, with parameters for its ``?``. Raises DataError without memory."""
        with _told():
            result = self._connection.execute(sql, parameters)
            columns = [column[0] for column in result.description]
            return Rows(columns, result.fetchall())

    def columns(self, sql: str) -> dict[str, Any]:
        """Run SQL of our own and return its columns as NumPy arrays."""
        return self._connection.execute(sql).fetchnumpy()

    def seat(self, ais: Any, ai_moves: Any) -> None:
        """Let Arrow tables stand where those of our AIs were: every query is then about them."""
        self._connection.register("seated_ais", ais)
        self._connection.register("seated_ai_moves", ai_moves)
        self._connection.execute("create or replace view ais as from seated_ais")
        self._connection.execute("create or replace view ai_moves as from seated_ai_moves")

    def count(self, relation: str) -> int:
        """Count the rows of a table or view."""
        rows = self.run("select count(*) from query_table(?)", [relation]).rows
        return int(rows[0][0])

    def missing(self, query: Query) -> list[str]:
        """List the tables that a query needs and that are not there."""
        return [table for table in query.needs if table not in self.tables]


def why_missing(data_set: DataSet, tables: list[str]) -> str:
    """Say why tables are not there, and what to do."""
    from marubatsu.pipeline.stages.stage import stages_of

    if tables == [SOLUTION.name]:
        return f"run `marubatsu solve {data_set.game.name}`"
    made = {stage.table.name for stage in stages_of(data_set.game)}
    if not made.issuperset(tables):
        return f"{data_set.game.name} has none, its tree is too large"
    return f"run `marubatsu build {data_set.game.name}`"


@contextmanager
def open_catalog(
    data_set: DataSet,
    on_wait: Callable[[], None],
    require: Callable[[DataSet], Manifest] = require_intact,
    memory: int | None = None,
) -> Iterator[Catalog]:
    """Open the tables and the solution of a game, as far as they are there, for queries.

    They are locked against builders, and their hashes are compared first. Queries that take more
    than ``memory`` bytes go on in the temporary folder of the machine; without it there is no limit
    but that of DuckDB, and no file is written.
    Raises DataError when nothing is there or something is damaged, naming the file, or as
    ``require`` does.
    """
    with (
        data_set.lock(write=False, on_wait=on_wait),
        TemporaryDirectory(prefix="marubatsu-") as folder,
    ):
        tables = tables_of(data_set, require)
        buffers = memory * 4 // 5 if memory else None  # DuckDB counts nothing else.
        with connect(buffers, folder if memory else "") as connection:
            with _told():
                create_views(connection, data_set.folder, tables)
            yield Catalog(connection, data_set, tables)


@contextmanager
def _told() -> Iterator[None]:
    """Turn what DuckDB raises without memory, or when Ctrl-C was pressed, into what it is."""
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise DataError("a query needs more memory than it may have; raise --memory") from error
    except RuntimeError as error:
        raise KeyboardInterrupt from error


def connect(memory: int | None = None, spill: str = "") -> duckdb.DuckDBPyConnection:
    """Open an in-memory database that installs nothing.

    It takes up to ``memory`` bytes, and goes on in the folder ``spill`` if one is named.
    """
    settings: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "temp_directory": spill,
        "python_enable_replacements": False,
    }
    if memory:
        settings["memory_limit"] = f"{memory}B"
    return duckdb.connect(":memory:", config=settings)


def parts_of_solution(folder: Path) -> list[str]:
    """Return the files of the solution in the folder of a game, as its manifest lists them."""
    solution = folder / Solution.part
    manifest = Manifest.parse((solution / MANIFEST).read_bytes())
    return [str(solution / file) for file in manifest.files]


def create_views(
    connection: duckdb.DuckDBPyConnection, folder: Path, tables: frozenset[str]
) -> None:
    """Create the views of ``queries/`` for which there are tables."""
    connection.execute("set variable data = ?", [str(folder)])
    connection.execute("set variable reference = ?", [str(REFERENCE)])
    has_positions = "positions" in tables
    footer = folder / (
        "positions.parquet" if has_positions else "solution/ply=00/part-0000.parquet"
    )
    connection.execute("set variable footer = ?", [str(footer)])
    if SOLUTION.name in tables:
        connection.execute("set variable parts = ?", [parts_of_solution(folder)])
    for view in views():
        if tables.issuperset(view.needs):
            connection.execute(view.sql)
