"""``catalogue.ducklake``: all tables of a published folder as one frozen DuckLake, by DuckLake 1.0.

``ATTACH 'ducklake:catalogue.ducklake'`` shows each game as a schema. The catalogue is a small file
of DuckDB with one snapshot and no primary keys, since no one writes into it. One thread and fixed
identifiers make its bytes follow from the data, for one version of DuckDB.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from marubatsu.pipeline.publishing.publication import Publication, PublishedTable
from marubatsu.pipeline.sql.query_files import connect
from marubatsu.pipeline.sql.view_script import in_sql
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.events import held_back
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.schemas import CELLS, resolve
from marubatsu.version import __version__

FILE = "catalogue.ducklake"

_OPTIONS = "block_size 16384, storage_version 'v1.2.0'"
"""The smallest blocks, and the oldest format that has a block for several empty tables."""

_TYPES = {"bool": "boolean", "string": "varchar"}
"""Words of DuckLake for types of ours; the other names are the same."""

_ELSEWHERE = "make room there, or name another folder by TMPDIR"

_SNAPSHOT = 0  # the only snapshot: everything begins with it, and nothing ends

_Row = tuple[str, tuple[Any, ...]]
"""A row of the catalogue with the name of its table."""


class _Leaf(NamedTuple):
    """A column, or the elements of a column of lists."""

    number: int  # from 1 on
    name: str
    type: str
    nullable: bool
    parent: int | None


class _Statistics(NamedTuple):
    """What is known of the values of a column in one file, or in all files of a table."""

    values: int
    nulls: int
    least: Any
    most: Any
    nan: bool | None  # none where the values are no floating-point numbers


def render(published: Publication, folder: Path) -> bytes:
    """Write the catalogue of a published folder, which has the data.

    Raises DataError when the temporary folder of the machine cannot take it.
    """
    with TemporaryDirectory(prefix="marubatsu-") as temporary:
        path = Path(temporary, FILE)
        try:
            _write(path, _rows(published, folder))
        except (duckdb.IOException, duckdb.TransactionException) as error:
            why = str(error).splitlines()[-1]
            raise DataError(f"cannot write {near(path)}: {why}", _ELSEWHERE) from error
        return path.read_bytes()


@held_back()  # See `connect`.
def _write(path: Path, rows: Iterable[_Row]) -> None:
    of_table: dict[str, list[tuple[Any, ...]]] = {}
    for table, row in rows:
        of_table.setdefault(table, []).append(row)
    with connect() as connection:
        connection.execute("set threads = 1")
        connection.execute(
            f"attach {in_sql(str(path))} as catalogue ({_OPTIONS}); use catalogue; begin"
        )
        connection.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
        for table, values in of_table.items():
            places = ", ".join("?" * len(values[0]))
            insert = f"insert into ducklake_{table} values ({places})"  # noqa: S608
            connection.executemany(insert, values)
        connection.execute("commit; use memory; detach catalogue")


def _rows(published: Publication, folder: Path) -> Iterator[_Row]:
    root = f"{published.url}/" if published.url else "./"
    words = {"version": "1.0", "created_by": f"marubatsu {__version__}", "data_path": root,
             "encrypted": "false"}  # fmt: skip
    for key, value in words.items():
        yield "metadata", (key, value, None, None)
    games = [game.game.name for game in published.games]
    for number, name in enumerate(["main", *games]):
        place = (_SNAPSHOT, None, name, f"{name}/", True)
        yield "schema", (number, _identifier(name), *place)
    files = 0
    tables = published.tables
    first = len(games) + 1
    for number, table in enumerate(tables, first):
        schema = games.index(table.game.name) + 1
        name = table.table.name
        identifier = _identifier(table.name)
        yield "table", (number, identifier, _SNAPSHOT, None, schema, name, "", True)
        yield "schema_versions", (_SNAPSHOT, _SNAPSHOT, number)
        yield from _table(table, number, files, folder)
        files += len(table.files)
    day = f"{published.date} 00:00:00+00"
    yield "snapshot", (_SNAPSHOT, day, _SNAPSHOT, first + len(tables), files)
    made = ",".join(f'created_schema:"{name}"' for name in ["main", *games])
    yield "snapshot_changes", (_SNAPSHOT, made, None, None, None)


def _identifier(name: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"marubatsu:{name}"))


def _table(table: PublishedTable, number: int, first: int, folder: Path) -> Iterator[_Row]:
    """Yield the columns and files of a table; its files have the numbers from ``first`` on."""
    leaves = list(_leaves(table))
    yield "column_mapping", (number, number, "map_by_name")
    for leaf in leaves:
        yield (
            "column",
            (leaf.number, _SNAPSHOT, None, number, leaf.number, leaf.name, leaf.type, None, None,
             leaf.nullable, leaf.parent, None, None),
        )  # fmt: skip
        parent = None if leaf.parent is None else leaf.parent - 1
        yield ("name_mapping", (number, leaf.number - 1, leaf.name, leaf.number, parent, False))
    statistics_of: dict[int, list[_Statistics]] = {}
    row = 0
    for file_number, file in enumerate(table.files, first):
        path = file.name.removeprefix(f"{table.game.name}/")
        with pq.ParquetFile(folder / file.name) as opened:
            yield (
                "data_file",
                (file_number, number, _SNAPSHOT, None, None, path, True, "parquet", file.rows,
                 file.bytes, opened.metadata.serialized_size, row, None, None, number, None),
            )  # fmt: skip
            row += file.rows
            for leaf, size, of in _statistics(opened, leaves):
                statistics_of.setdefault(leaf.number, []).append(of)
                yield (
                    "file_column_stats",
                    (file_number, number, leaf.number, size, *_as_written(of), None),
                )
    yield "table_stats", (number, table.rows, table.rows, table.bytes)
    for column, of_files in statistics_of.items():
        of = _together(of_files)
        _, nulls, least, most, nan = _as_written(of)
        yield "table_column_stats", (number, column, nulls > 0, nan, least, most, None)


def _leaves(table: PublishedTable) -> Iterator[_Leaf]:
    """Yield the columns as DuckLake numbers them: elements of lists follow their column."""
    number = 0
    for column in table.table.columns:
        number += 1
        type_, nullable = resolve(table.game, column.type), bool(column.null)
        if type_ == CELLS:
            yield _Leaf(number, column.name, "list", nullable, None)
            number += 1
            yield _Leaf(number, "element", "int8", nullable=False, parent=number - 1)
        else:
            yield _Leaf(number, column.name, _TYPES.get(type_, type_), nullable, None)


def _statistics(
    file: pq.ParquetFile, leaves: list[_Leaf]
) -> Iterator[tuple[_Leaf, int, _Statistics]]:
    """Yield what a file has of each column: its bytes, and the statistics of its values."""
    groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
    stored = [leaf for leaf in leaves if leaf.type != "list"]
    for place, leaf in enumerate(stored):
        name = next(each.name for each in leaves if each.number == (leaf.parent or leaf.number))
        column = file.read([name]).column(0)
        if leaf.parent:
            column = pc.list_flatten(column)
        yield leaf, sum(group.column(place).total_compressed_size for group in groups), _of(column)


def _of(column: pa.ChunkedArray) -> _Statistics:
    bounds = pc.min_max(column)
    nan = pc.any(pc.is_nan(column)).as_py() or False if pa.types.is_floating(column.type) else None
    values = len(column) - column.null_count
    return _Statistics(values, column.null_count, bounds["min"].as_py(), bounds["max"].as_py(), nan)


def _together(of_files: list[_Statistics]) -> _Statistics:
    bounds = [value for of in of_files for value in (of.least, of.most) if value is not None]
    return _Statistics(
        sum(of.values for of in of_files),
        sum(of.nulls for of in of_files),
        min(bounds, default=None),
        max(bounds, default=None),
        None if of_files[0].nan is None else any(of.nan for of in of_files),
    )


def _as_written(of: _Statistics) -> tuple[int, int, str | None, str | None, bool | None]:
    least, most = (
        None if value is None else str(int(value) if isinstance(value, bool) else value)
        for value in (of.least, of.most)
    )
    return of.values, of.nulls, least, most, of.nan
