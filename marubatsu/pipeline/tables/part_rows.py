"""The rows of a solution as an Arrow dataset that DuckDB reads: each has its ply and its key.

The files hold values only; ply and key follow from where a row is. Arrow's own datasets have no
numbers of rows. DuckDB asks a dataset for a scanner, with the columns that it needs and the
condition that it wants; this one opens only the parts, and reads only the row groups, that may hold
such rows.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow.dataset import Dataset, Expression, FileSystemDataset, ParquetFileFormat, field, scalar

_ROWS = pa.schema([("ply", pa.int8()), ("key", pa.int64()), ("value", pa.int8())])
_FORMAT = ParquetFileFormat()


class _KeyRange(NamedTuple):
    """Rows of a ply whose keys are neighbours: a part, or a row group of one."""

    ply: int
    first: int
    rows: int
    source: Any  # an open file, or the number of a row group in one
    name: str = ""  # of the file, in errors

    @property
    def holds(self) -> Expression:
        """What is true of all of its rows."""
        end = self.first + self.rows
        key = (field("key") >= scalar(self.first)) & (field("key") < scalar(end))
        return (field("ply") == pa.scalar(self.ply, pa.int8())) & key


class PartRows(Dataset):  # type: ignore[misc]
    """The rows of the parts of a solution. Reading raises what the open files raise."""

    def __init__(self, parts: Iterable[tuple[tuple[int, int, int], Any, str]]) -> None:
        """Take open files by name, each with its ply, the key of its first row, and its rows."""
        self._parts = [_KeyRange(*place, file, name) for place, file, name in parts]

    @property
    def schema(self) -> pa.Schema:
        """The columns of the rows."""
        return _ROWS

    def scanner(
        self,
        columns: Sequence[str] | None = None,
        filter: Expression | None = None,  # noqa: A002 - DuckDB's name
    ) -> "_Scanner":
        """Return a reader of some columns of the rows that fulfil a condition."""
        return _Scanner(self._parts, list(columns or _ROWS.names), filter)


class _Scanner:
    """What DuckDB reads a dataset with."""

    def __init__(
        self, parts: Sequence[_KeyRange], columns: list[str], condition: Expression | None
    ) -> None:
        self._parts, self._columns, self._condition = parts, columns, condition
        self.projected_schema = pa.schema([_ROWS.field(name) for name in columns])

    def to_reader(self) -> pa.RecordBatchReader:
        """Return the rows, in batches."""
        return pa.RecordBatchReader.from_batches(self.projected_schema, self._batches())

    def _batches(self) -> Iterator[pa.RecordBatch]:
        for part in self._possible(self._parts):
            file = pq.ParquetFile(part.source)
            groups, first = [], part.first
            for number in range(file.num_row_groups):
                rows = file.metadata.row_group(number).num_rows
                groups.append(_KeyRange(part.ply, first, rows, number))
                first += rows
            for group in self._possible(groups):
                try:
                    table = self._read(file, group)
                except OSError as error:
                    raise OSError(f"{part.name} is damaged: {error}") from None
                yield from table.to_batches()

    def _possible(self, key_ranges: Sequence[_KeyRange]) -> list[_KeyRange]:
        """Return the key ranges that may hold rows which fulfil the condition."""
        if self._condition is None:
            return list(key_ranges)
        fragments = [
            _FORMAT.make_fragment(
                pa.py_buffer(str(number).encode()), partition_expression=key_range.holds
            )
            for number, key_range in enumerate(key_ranges)
        ]
        matching = FileSystemDataset(fragments, _ROWS, _FORMAT).get_fragments(self._condition)
        return [key_ranges[int(fragment.buffer.to_pybytes())] for fragment in matching]

    def _read(self, file: pq.ParquetFile, group: _KeyRange) -> pa.Table:
        columns = [
            np.full(group.rows, group.ply, np.int8),
            np.arange(group.first, group.first + group.rows),
            file.read_row_group(group.source, ["value"])["value"],
        ]
        rows = pa.table(columns, _ROWS)
        if self._condition is not None:
            rows = rows.filter(self._condition)
        return rows.select(self._columns)
