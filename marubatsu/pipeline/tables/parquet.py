"""Columns as the bytes of a Parquet file, checked against the declared schema.

The bytes depend only on the rows and the version of pyarrow, not on clock, threads or locale. The
content hash is independent of pyarrow too: per column it covers name, type, lengths, nulls and
values in little-endian order.
"""

import hashlib
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Ints
from marubatsu.pipeline.tables.schemas import (
    CELLS,
    DICTIONARY,
    TEXT,
    Column,
    ColumnData,
    Columns,
    Labels,
    Lists,
    Nullable,
    Table,
    described,
    resolve,
)

WRITER = f"pyarrow {pa.__version__}"
"""The library whose version decides the bytes of a file, besides our own code."""

_WHOLE = 1_000_000  # Smaller row groups are read alone, so each gets its own checksums.
_PAGE = 1 << 24  # One page per column: trees repeat themselves over long distances.
_COMPRESSION_LEVEL = 3


class SchemaError(ValueError):
    """An error for columns that break the declaration of their table."""


class Encoded(NamedTuple):
    """A table as the bytes of a Parquet file."""

    table: Table
    game: Game
    data: pa.Buffer
    rows: int
    content: str  # hash of the rows, independent of the writer


def encode(table: Table, game: Game, columns: Columns) -> Encoded:
    """Encode a table.

    Raises SchemaError when the columns differ from the declaration: other names, values that do not
    fit, undeclared nulls, other lengths, or rows out of the order of the key.
    """
    if list(columns) != [column.name for column in table.columns]:
        raise SchemaError(
            f"table {table.name}: expected columns {[c.name for c in table.columns]}, "
            f"got {list(columns)}"
        )
    arrays = [_to_arrow(table, game, column, columns[column.name]) for column in table.columns]
    lengths = {len(array) for array in arrays}
    if len(lengths) != 1:
        raise SchemaError(f"table {table.name}: columns of different lengths: {sorted(lengths)}")
    _require_order(table, columns)
    batch = pa.table(arrays, schema=arrow_schema(table, game))
    data = write_rows(table, batch, writer_options(table))
    return Encoded(table, game, data, batch.num_rows, content_hash(batch))


def write_rows(table: Table, rows: pa.Table, options: dict[str, Any]) -> pa.Buffer:
    """Write the rows of a table, which are in the order of its key, as a Parquet file."""
    sink = pa.BufferOutputStream()
    keys = [(name, "ascending") for name in table.key]
    order = pq.SortingColumn.from_ordering(rows.schema, keys) or None
    with pq.ParquetWriter(sink, rows.schema, sorting_columns=order, **options) as writer:
        writer.write_table(rows, row_group_size=table.row_group)
    return sink.getvalue()


def writer_options(table: Table) -> dict[str, Any]:
    """Return pyarrow's options for encoding and compressing the columns of a table."""
    return {
        "compression": "zstd",
        "compression_level": _COMPRESSION_LEVEL,
        # Pages of the first version compress also what says where nulls are.
        "data_page_version": "2.0" if table.key else "1.0",
        "data_page_size": _PAGE,
        "max_rows_per_page": table.row_group,
        "write_page_checksum": table.row_group < _WHOLE,
        "write_statistics": False,  # No reader could trust them: see `parquet_layout`.
        "use_dictionary": [_path(c) for c in table.columns if c.encoding == DICTIONARY],
        "column_encoding": {
            _path(c): c.encoding for c in table.columns if c.encoding != DICTIONARY
        },
    }


def content_hash(rows: pa.Table) -> str:
    """Hash the rows of a table, independently of how a file stores them."""
    digest = hashlib.blake2b(digest_size=32)
    digest.update(f"{rows.num_rows} rows\n".encode())
    for field, column in zip(rows.schema, rows.columns, strict=True):
        digest.update(f"{field.name} {field.type}\n".encode())
        _hash_array(digest, column.combine_chunks())
    return digest.hexdigest()


def _hash_array(digest: hashlib.blake2b, array: pa.Array) -> None:
    """Hash a column from its buffers; Arrow's own functions would load its compute module."""
    if array.null_count:
        is_valid = bits_of(array.buffers()[0], array)
        digest.update(_bytes(np.packbits(is_valid, bitorder="little")))
    if pa.types.is_list(array.type) or pa.types.is_string(array.type):
        offsets = _values(array.buffers()[1], np.dtype(np.int32), array.offset, len(array) + 1)
        digest.update(_bytes(np.diff(offsets)))
        if pa.types.is_string(array.type):
            digest.update(memoryview(array.buffers()[2])[offsets[0] : offsets[-1]])
        else:
            _hash_array(digest, array.values[offsets[0] : offsets[-1]])
    elif pa.types.is_boolean(array.type):
        digest.update(_bytes(bits_of(array.buffers()[1], array)))
    else:
        dtype = np.dtype(array.type.to_pandas_dtype())
        values = _values(array.buffers()[1], dtype, array.offset, len(array))
        if array.null_count:
            values = np.where(is_valid, values, dtype.type(0))
        digest.update(_bytes(values))


def bits_of(buffer: pa.Buffer, array: pa.Array) -> NDArray[np.uint8]:
    """Return one byte per row, 1 or 0, from a buffer of bits."""
    packed = np.frombuffer(buffer, dtype=np.uint8)
    bits = np.unpackbits(packed, count=array.offset + len(array), bitorder="little")
    return bits[array.offset :]


def _values(buffer: pa.Buffer, dtype: np.dtype[Any], first: int, count: int) -> NDArray[Any]:
    return np.frombuffer(buffer, dtype=dtype, offset=first * dtype.itemsize, count=count)


def _bytes(values: NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).data.cast("B")


def numbers(column: pa.ChunkedArray) -> NDArray[Any]:
    """Return a column of numbers without nulls, read from one row group, as a read-only array.

    Arrow's own ``to_numpy`` imports pandas where it is installed, which takes longer than reading.
    """
    array: NDArray[Any] = np.from_dlpack(column.chunk(0))
    return array


def lists(column: pa.ChunkedArray, places: NDArray[Any]) -> list[list[int]]:
    """Return some lists of a column of lists of integers, read from one row group."""
    chunk = column.chunk(0)
    values, start = np.from_dlpack(chunk.values), np.from_dlpack(chunk.offsets)
    bounds = zip(start[places].tolist(), start[places + 1].tolist(), strict=True)
    return [values[first:end].tolist() for first, end in bounds]


@lru_cache
def arrow_schema(table: Table, game: Game) -> pa.Schema:
    """Return the columns of a table, with what they mean, as Arrow has them."""
    return pa.schema(
        [
            pa.field(
                column.name,
                _arrow_type(resolve(game, column.type)),
                nullable=bool(column.null),
                metadata={"description": described(column)},
            )
            for column in table.columns
        ],
        metadata={"marubatsu.game": game.notation, "marubatsu.table": table.name},
    )


def _arrow_type(name: str) -> pa.DataType:
    if name == CELLS:
        return pa.list_(pa.field("element", pa.int8(), nullable=False))
    return pa.type_for_alias(name)


def _path(column: Column) -> str:
    return f"{column.name}.list.element" if column.type == CELLS else column.name


def _to_arrow(table: Table, game: Game, column: Column, data: ColumnData) -> pa.Array:
    """Turn one column into Arrow; raise SchemaError for anything undeclared.

    Arrays are made from buffers, because ``pa.array`` imports pandas if it is installed.
    """
    goal = _arrow_type(resolve(game, column.type))
    try:
        match data:
            case Labels(codes, labels) if column.type == TEXT:
                array = _labelled_text(codes, labels)
            case Lists(values, counts) if column.type == CELLS:
                cells = _plain(pa.int8(), _narrow(values, pa.int8()))
                array = pa.Array.from_buffers(
                    goal, len(counts), [None, _offsets(counts)], children=[cells]
                )
            case Nullable(values, is_null):
                array = _plain(goal, _narrow(values, goal), is_null)
            case np.ndarray() if column.type == TEXT:
                array = _text(np.full(len(data), data.dtype.itemsize), pa.py_buffer(data))
            case np.ndarray():
                array = _plain(goal, _narrow(data, goal))
            case _:
                raise SchemaError(f"{type(data).__name__} is no form of {goal}")
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise SchemaError(f"table {table.name}, column {column.name}: {error}") from error
    if array.null_count and not column.null:
        raise SchemaError(f"table {table.name}, column {column.name}: nulls are not declared")
    return array


def _plain(
    goal: pa.DataType, values: NDArray[Any], is_null: NDArray[np.bool_] | None = None
) -> pa.Array:
    packed = np.packbits(values, bitorder="little") if values.dtype == np.bool_ else values
    data = pa.py_buffer(np.ascontiguousarray(packed))
    return pa.Array.from_buffers(goal, len(values), [_validity(is_null), data])


def _labelled_text(codes: Ints, labels: tuple[str | None, ...]) -> pa.Array:
    """Return the text of each code; a label that is None means null."""
    texts = [(label or "").encode() for label in labels]
    lengths = np.array([len(text) for text in texts])[codes]
    data = b"".join([texts[code] for code in codes.tolist()])
    is_null = np.array([label is None for label in labels])[codes]
    return _text(lengths, pa.py_buffer(data), is_null)


def _text(
    lengths: NDArray[Any], data: pa.Buffer, is_null: NDArray[np.bool_] | None = None
) -> pa.Array:
    return pa.Array.from_buffers(
        pa.string(), len(lengths), [_validity(is_null), _offsets(lengths), data]
    )


def _offsets(lengths: NDArray[Any]) -> pa.Buffer:
    return pa.py_buffer(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32))


def _validity(is_null: NDArray[np.bool_] | None) -> pa.Buffer | None:
    """Return a bit for each row that is not null; None where all rows have a value."""
    if is_null is None or not is_null.any():
        return None
    return pa.py_buffer(np.packbits(~is_null, bitorder="little"))


def _narrow(values: NDArray[Any], goal: pa.DataType) -> NDArray[Any]:
    """Convert values to the declared width; raise when one does not fit or the kind differs."""
    dtype = np.dtype(goal.to_pandas_dtype())
    if values.dtype == dtype:
        return values
    if values.dtype.kind != "i" or dtype.kind != "i":
        raise SchemaError(f"expected {dtype}, got {values.dtype}")
    bounds = np.iinfo(dtype)
    if len(values) and not bounds.min <= values.min() <= values.max() <= bounds.max:
        raise SchemaError(f"{values.min()} to {values.max()} does not fit {dtype}")
    return values.astype(dtype)


def _require_order(table: Table, columns: Columns) -> None:
    greater: Any = not table.key  # Without a key, only the order distinguishes rows.
    for name in reversed(table.key):
        key = columns[name]
        if isinstance(key, Labels):  # Codes sort like their text when the labels are sorted.
            if list(key.labels) != sorted(set(map(str, key.labels))):
                raise SchemaError(f"table {table.name}: labels of {name} are not in order")
            key = key.codes
        if not isinstance(key, np.ndarray):
            raise SchemaError(f"table {table.name}: key column {name} is no plain array")
        above, below = key[1:], key[:-1]
        greater = (above > below) | ((above == below) & greater)
    if not np.all(greater):
        raise SchemaError(f"table {table.name}: rows are not in the order of {table.key}")
