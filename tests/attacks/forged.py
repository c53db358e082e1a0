"""Forged files in place of ours, with a manifest that fits them."""

import hashlib
import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.manifest import (
    DICTIONARY,
    MANIFEST,
    Manifest,
    dictionary_of,
    table_of,
)
from marubatsu.pipeline.tables.parquet import content_hash, writer_options
from marubatsu.pipeline.tables.solved_schemas import DECLARED

Forge = Callable[[bytes], bytes]
"""Makes another file from the bytes of one."""


def put(path: Path, data: bytes, *, is_read: bool = True, **changes: Any) -> None:
    """Write a file of a data set, and what the manifest says of it, with other changes.

    Unless it is read, the old number of rows and the old content stay.
    """
    path.write_bytes(data)
    folder = path.parent.parent if path.parent.name.startswith("ply=") else path.parent
    manifest = Manifest.parse((folder / MANIFEST).read_bytes())
    name = str(path.relative_to(folder))
    sha256 = hashlib.sha256(data).hexdigest()
    entry = replace(manifest.files[name], bytes=len(data), sha256=sha256, **changes)
    if is_read:
        with suppress(OSError, ValueError, TypeError, AttributeError, NotImplementedError):
            rows = rows_of(data)
            entry = replace(entry, rows=rows.num_rows, content=content_hash(rows))
    fitting = {
        other: replace(of, inputs={**of.inputs, table_of(name): entry.content})
        for other, of in manifest.files.items()
        if table_of(name) in of.inputs
    }
    manifest = manifest.with_files(manifest.version, {**fitting, name: entry})
    (folder / MANIFEST).write_bytes(manifest.render())
    if (package := folder / DICTIONARY).exists():
        package.write_bytes(dictionary_of(Game(manifest.game), manifest))


def rows_of(data: bytes) -> pa.Table:
    return pq.ParquetFile(BytesIO(data)).read()


def written(change: Callable[[pa.Table], pa.Table] = lambda rows: rows, **options: Any) -> Forge:
    """Write the rows, changed or not, with pyarrow and other options."""

    def forge(data: bytes) -> bytes:
        goal = BytesIO()
        pq.write_table(change(rows_of(data)), goal, **options)
        return goal.getvalue()

    return forge


def by_duckdb(options: str) -> Forge:

    def forge(data: bytes) -> bytes:
        with TemporaryDirectory() as folder, duckdb.connect() as connection:
            goal = Path(folder, "file.parquet")
            rows = rows_of(data)  # noqa: F841, DuckDB takes it by its name
            connection.execute(f"copy rows to '{goal}' (format parquet{options})")
            return goal.read_bytes()

    return forge


def like_ours(change: Callable[[pa.Table], pa.Table]) -> Forge:
    """Write other rows of the same columns in our layout."""

    def forge(data: bytes) -> bytes:
        rows, goal = rows_of(data), BytesIO()
        table = DECLARED[rows.schema.metadata[b"marubatsu.table"].decode()]
        changed = change(rows).cast(rows.schema)
        pq.write_table(changed, goal, row_group_size=table.row_group, **writer_options(table))
        return goal.getvalue()

    return forge


def with_columns(change: Callable[[pa.Table], pa.Table]) -> Forge:
    return written(change, compression="zstd", write_statistics=False)


def first_as(type_: pa.DataType) -> Callable[[pa.Table], pa.Table]:
    """Return the change of the first column into numbers of rows, in another type."""

    def change(rows: pa.Table) -> pa.Table:
        name = rows.column_names[0]
        values: list[Any] = list(range(len(rows)))
        if pa.types.is_string(type_):
            values = list(map(str, values))
        if pa.types.is_struct(type_):
            values = [{"value": value} for value in values]
        if pa.types.is_list(type_):
            values = [[value] for value in values]
        return rows.set_column(0, name, pa.array(values, type_))

    return change


def nulled(rows: pa.Table) -> pa.Table:
    """Return null wherever it is allowed."""
    columns = [
        pa.nulls(len(rows), field.type) if field.nullable else rows[field.name]
        for field in rows.schema
    ]
    return pa.table(columns, schema=rows.schema)


def greatest(rows: pa.Table) -> pa.Table:
    """Return the greatest number of its type in place of every number."""
    columns = [
        [2 ** (column.type.bit_width - 1) - 1] * len(rows)
        if pa.types.is_integer(column.type)
        else column
        for column in rows.columns
    ]
    return pa.table(columns, schema=rows.schema)


def flipped(part: Callable[[bytes], tuple[int, int]], random: Random) -> Forge:
    """Flip a bit between two bytes of the file."""

    def forge(data: bytes) -> bytes:
        changed = bytearray(data)
        changed[random.randrange(*part(data))] ^= 1 << random.randrange(8)
        return bytes(changed)

    return forge


def footer(data: bytes) -> tuple[int, int]:
    """Return where the footer of a file begins and ends."""
    (size,) = struct.unpack("<I", data[-8:-4])
    return len(data) - 8 - size, len(data) - 8


def pages(data: bytes) -> tuple[int, int]:
    """Return where the rows of a file begin and end."""
    return 4, footer(data)[0]


def lying(data: bytes) -> bytes:
    """Write the rows with statistics of other rows: those of the last row alone.

    Without compression and dictionaries, both files have the same pages at the same places.
    """
    options: dict[str, Any] = {"compression": "none", "use_dictionary": False}
    rows = rows_of(data)
    last = rows.take(pa.array([len(rows) - 1] * len(rows)))
    true, false = (BytesIO(), BytesIO())
    pq.write_table(rows, true, **options)
    pq.write_table(last, false, **options)
    start, _ = footer(true.getvalue())
    other = false.getvalue()
    return true.getvalue()[:start] + other[footer(other)[0] :]


LAYOUTS: Mapping[str, Forge] = {
    "pyarrow": written(),
    "row groups of 1": written(row_group_size=1),
    "row groups of 10": written(row_group_size=10, write_statistics=False),
    "row groups of 1000, zstd": written(row_group_size=1000, compression="zstd"),
    "no compression": written(compression="none", write_statistics=False),
    "snappy": written(compression="snappy", write_statistics=False),
    "gzip": written(compression="gzip", write_statistics=False),
    "brotli": written(compression="brotli", write_statistics=False),
    "no dictionary": written(use_dictionary=False, compression="zstd"),
    "page index": written(write_page_index=True),
    "pages of the second version": written(data_page_version="2.0", compression="zstd"),
    "format 1.0": written(version="1.0"),
    "no schema of Arrow": written(store_schema=False, write_statistics=False),
    "small pages": written(data_page_size=64, compression="zstd", write_statistics=False),
    "duckdb": by_duckdb(""),
    "duckdb, row groups of 2048": by_duckdb(", row_group_size 2048"),
    "duckdb, second version": by_duckdb(", parquet_version v2, compression zstd"),
    "duckdb, no compression": by_duckdb(", compression uncompressed"),
}  # fmt: skip
"""The same rows in other layouts."""

SHAPES: Mapping[str, Forge] = {
    "columns of null": with_columns(
        lambda rows: pa.table([pa.nulls(len(rows))] * rows.num_columns, names=rows.column_names)
    ),
    "text": with_columns(first_as(pa.string())),
    "int64": with_columns(first_as(pa.int64())),
    "float64": with_columns(first_as(pa.float64())),
    "a list": with_columns(first_as(pa.list_(pa.int64()))),
    "a struct": with_columns(first_as(pa.struct({"value": pa.int64()}))),
    "a dictionary": with_columns(
        lambda rows: rows.set_column(0, rows.column_names[0], rows.column(0).dictionary_encode())
    ),
    "a column less": with_columns(lambda rows: rows.drop_columns(rows.column_names[-1:])),
    "a column more": with_columns(lambda rows: rows.append_column("more", rows.column(0))),
    "a column twice": with_columns(
        lambda rows: rows.append_column(rows.column_names[0], rows.column(0))
    ),
    "other names": with_columns(
        lambda rows: rows.rename_columns([name.upper() for name in rows.column_names])
    ),
    "another order": with_columns(lambda rows: rows.select(rows.column_names[::-1])),
}
"""Other columns."""

LIES: Mapping[str, Forge] = {
    "no rows": like_ours(lambda rows: rows.slice(0, 0)),
    "one row": like_ours(lambda rows: rows.slice(0, 1)),
    "a row less": like_ours(lambda rows: rows.slice(0, len(rows) - 1)),
    "rows turned round": like_ours(lambda rows: rows.take(pa.array(range(len(rows))[::-1]))),
    "rows twice": like_ours(lambda rows: pa.concat_tables([rows, rows]).combine_chunks()),
    "null everywhere": like_ours(nulled),
    "many rows": like_ours(lambda rows: rows.slice(0, 1).take(pa.array([0] * 500_000))),
    "the greatest numbers": like_ours(greatest),
}
"""Other rows in the declared columns."""
