"""Rows in columns: as Parquet or Arrow, which keep the types, and as CSV.

Arrow means the file format, which every library maps into memory and reads from any batch; the
ending `.arrow` belongs to it. Both formats are also written to a pipe, because neither goes back.
"""

import csv
from collections.abc import Iterable, Sequence
from functools import partial
from io import StringIO
from typing import Any, TextIO

import pyarrow as pa

from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.tables.formats import Format, csv_cell, unique


def typed(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> pa.Table:
    """Return plain values as columns, each of the smallest common type; else as text."""
    values = list(zip(*rows, strict=True)) or [()] * len(columns)
    return pa.table(dict(zip(columns, map(_array, values), strict=True)))


def _array(values: Sequence[Any]) -> pa.Array:
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.array([None if value is None else str(value) for value in values])


def write_batches(
    schema: pa.Schema, batches: Iterable[pa.RecordBatch], form: Format, out: TextIO
) -> None:
    """Write batches of rows to the bytes below ``out``; columns of the same name get numbers.

    Raises UsageError when Parquet lacks the type of a column.
    """
    from pyarrow.parquet import ParquetWriter

    names = unique(schema.names)
    named = pa.schema([field.with_name(name) for field, name in zip(schema, names, strict=True)])
    writers = {
        Format.ARROW: pa.ipc.new_file,
        Format.PARQUET: partial(ParquetWriter, compression="zstd"),
    }
    try:
        with writers[form](out.buffer, named) as writer:
            for batch in batches:
                writer.write_batch(batch.rename_columns(names))
    except pa.ArrowNotImplementedError as error:
        raise UsageError(
            f"Parquet has no type for a column ({error}): expected another, such as column::varchar"
        ) from error


def write_csv(schema: pa.Schema, batches: Iterable[pa.RecordBatch], out: TextIO) -> None:
    """Write batches of rows as `write` writes CSV to a file, but a column at a time."""
    import pyarrow.compute as pc

    csv.writer(out, lineterminator="\n").writerow(map(csv_cell, schema.names))
    for batch in batches:
        columns = [_cells(column) for column in batch.columns]
        if len(columns) == 1:  # An empty line would be no row.
            columns = [pc.if_else(pc.equal(columns[0], ""), '""', columns[0])]
        lines = pc.binary_join_element_wise(*columns, ",").to_pylist()
        out.write("\n".join([*lines, ""]))


def _cells(column: pa.Array) -> pa.Array:
    """Return the cells of a column as texts of CSV; each different text is made once."""
    import pyarrow.compute as pc

    if pa.types.is_integer(column.type):
        return pc.fill_null(column.cast(pa.string()), "")
    if pa.types.is_list(column.type) and pa.types.is_integer(column.type.value_type):
        joined = pc.binary_join(column.cast(pa.list_(pa.string())), ", ")
        if joined.null_count == column.null_count:
            text = pc.binary_join_element_wise("[", joined, "]", "")
            return pc.fill_null(_each_once(text), "")
    if pa.types.is_nested(column.type):
        values = column.to_pylist(maps_as_pydicts="strict")
        return pa.array([_quoted(csv_cell(value)) for value in values], pa.string())
    return pc.fill_null(_each_once(column), "")


def _each_once(column: pa.Array) -> pa.Array:
    """Return a column as cells, by its different values; nulls stay."""
    encoded = column.dictionary_encode()
    cells = [_quoted(csv_cell(value)) for value in encoded.dictionary.to_pylist()]
    return pa.array(cells, pa.string()).take(encoded.indices)


def _quoted(text: str) -> str:
    """Return a cell as the csv module writes it among others."""
    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow([text, ""])
    return line.getvalue()[:-2]
