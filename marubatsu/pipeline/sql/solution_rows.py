"""How SQL reads a solution, too large to be copied: rows as a stream, boards by their keys.

The files hold values only; ply and key follow from where a row is. Arrow's own datasets have no
numbers of rows. DuckDB asks a dataset for a scanner, with the columns that it needs and the
condition that it wants; `PartRows` opens only the parts, and reads only the row groups, that may
hold such rows.

The view `solution` derives `board` from `ply` and `key`, and DuckDB cannot derive these from the
board. So `with_keys` adds two conditions to ``board = constant``: the ply and the key of the
board's class. The condition itself stays, so the rows are the same. A key determines where its row
is, so DuckDB reads little of one file.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow.dataset import Dataset, Expression, FileSystemDataset, ParquetFileFormat, field, scalar

from marubatsu.engine.large.index import Index
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.sql.query_files import Node, common_tables, nodes, parser, syntax_tree

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


_VIEW, _COLUMN, _MACRO = "solution", "board", "representative"


def with_keys(game: Game, sql: str, parameters: Mapping[str, Any]) -> str:
    """Add the ply and the key to each ``board = constant`` that must hold for a row of `solution`.

    The constant is a text, a parameter, or ``representative`` of one. Other SQL is returned as it
    is.
    """
    tree = syntax_tree(sql)
    if tree is None or _VIEW in common_tables(tree):
        return sql
    boards = _Boards(Index(game), parameters)
    selects = [node for node in nodes(tree) if node.get("type") == "SELECT_NODE"]
    if not sum([boards.narrow(select) for select in selects]):
        return sql
    asked = "select json_deserialize_sql($1::json)"
    ((written,),) = parser().cursor().execute(asked, [json.dumps(tree)]).fetchall()
    return str(written)


class _Boards:
    """The conditions on boards in the selects of a statement."""

    def __init__(self, index: Index, parameters: Mapping[str, Any]) -> None:
        self._index, self._parameters = index, parameters

    def narrow(self, select: Node) -> bool:
        """Add the conditions to a select; return whether there were any."""
        where, sources = select["where_clause"], list(_sources(select["from_table"]))
        views = [each for each in sources if each.get("table_name", "").lower() == _VIEW]
        if not where or len(views) != 1 or views[0]["column_name_alias"]:
            return False
        name = views[0]["alias"] or _VIEW
        merged = {
            column.lower() for each in sources for column in each.get("using_columns", [])
        } | {_COLUMN for each in sources if each.get("ref_type") == "NATURAL"}
        columns = [[name.lower(), _COLUMN]] + [[_COLUMN]] * (_COLUMN not in merged)
        for condition in list(_conjuncts(where)):
            place = self._demanded(condition, columns)
            if place is not None:
                where = _both(where, name, ply=place[0], key=place[1])
        changed = where is not select["where_clause"]
        select["where_clause"] = where
        return changed

    def _demanded(self, condition: Node, columns: list[list[str]]) -> tuple[int, int] | None:
        """Return the ply and the key of the board that a condition demands."""
        if condition["type"] != "COMPARE_EQUAL":
            return None
        sides = condition["left"], condition["right"]
        for column, value in (sides, sides[::-1]):
            if [part.lower() for part in column.get("column_names", [])] in columns:
                is_any = value.get("function_name") == _MACRO
                values = value["arguments"] if is_any else [{"expression": value}]
                board = self._constant(values[0]["expression"]) if len(values) == 1 else None
                return None if board is None else self._place(board)
        return None

    def _constant(self, value: Node) -> Any:
        if value["type"] == "VALUE_PARAMETER":
            return self._parameters.get(value["identifier"])
        return value["literal"].get("text") if value["type"] == "VALUE_CONSTANT" else None

    def _place(self, board: Any) -> tuple[int, int] | None:
        game = self._index.game
        if not isinstance(board, str) or len(board) != game.cells or not set(board) <= set(".ox"):
            return None
        circle, cross = (
            sum(1 << cell for cell, mark in enumerate(board) if mark == side) for side in "ox"
        )
        counts = circle.bit_count(), cross.bit_count()
        if counts[0] - counts[1] not in (0, 1):
            return None
        [key] = self._index.of(np.array([circle]), np.array([cross])).tolist()
        return sum(counts), key


def _both(where: Node, view: str, **values: int) -> Node:
    """Return a condition that also demands values in columns of a view."""
    conditions = [where]
    for column, number in values.items():
        name = {"class": "COLUMN_REF", "type": "COLUMN_REF", "column_names": [view, column]}
        literal = {"kind": "INTEGER", "text": str(number)}
        value = {"class": "CONSTANT", "type": "VALUE_CONSTANT", "literal": literal}
        conditions.append(
            {"class": "COMPARISON", "type": "COMPARE_EQUAL", "left": name, "right": value}
        )
    return {"class": "CONJUNCTION", "type": "CONJUNCTION_AND", "children": conditions}


def _sources(table: Node) -> Iterator[Node]:
    """Yield what a select reads: tables, and the joins between them."""
    yield table
    if table["type"] == "JOIN":
        yield from _sources(table["left"])
        yield from _sources(table["right"])


def _conjuncts(condition: Node) -> Iterator[Node]:
    """Yield the conditions that must all hold."""
    if condition["type"] == "CONJUNCTION_AND":
        for child in condition["children"]:
            yield from _conjuncts(child)
    else:
        yield condition
