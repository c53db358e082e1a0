"""The layout of a Parquet file, which its footer tells, compared with that of the files we write.

Readers take types, places and numbers of rows from the footer, and pass over rows by statistics in
it. No hash says that these fit the rows where somebody rewrote both file and manifest. So our files
have no statistics, and a footer with anything that `encode` does not write is refused.
Names and numbers of fields are those of parquet.thrift in the specification of Apache Parquet.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.schemas import (
    BOOL,
    CELLS,
    DELTA,
    DICTIONARY,
    FLOAT32,
    FLOAT64,
    INT64,
    PREFIX,
    SPLIT,
    TEXT,
    Table,
    resolve,
)
from marubatsu.pipeline.tables.thrift import Record, ThriftError, record_of

MAGIC = b"PAR1"
TAIL = 8
"""Bytes after the footer: its size, and MAGIC."""

_MOST_ROWS = 100
"""Rows for each byte of a file at most; files that builds write have up to 10."""

_FOOTER = {1: "version", 2: "schema", 3: "rows", 4: "row groups", 5: "words", 6: "writer",
           7: "orders"}  # fmt: skip
_ROW_GROUP = {1: "columns", 2: "size", 3: "rows", 4: "order", 5: "offset", 6: "packed", 7: "number"}
_CHUNK = {2: "offset", 3: "column"}
_COLUMN = {1: "type", 2: "encodings", 3: "path", 4: "codec", 5: "values", 6: "size", 7: "packed",
           9: "first page", 11: "dictionary", 13: "pages", 16: "sizes"}  # fmt: skip
_REFUSED = {
    "chunk": {1: "a file of its own", 4: "an index", 6: "an index", 8: "a key", 9: "a key"},
    "column": {10: "an index", 12: "statistics", 14: "a Bloom filter", 17: "statistics"},
}  # fmt: skip
_TYPES = {BOOL: 0, INT64: 2, FLOAT32: 4, FLOAT64: 5, TEXT: 6}
_INT32 = 1  # the type of all other integers
_CODES = {DICTIONARY: 8, DELTA: 5, PREFIX: 7, SPLIT: 9}  # of encodings
_ALWAYS = {0, 3}  # encodings of dictionaries, of Boolean values, and of where nulls are
_ZSTD = 6
_REQUIRED, _OPTIONAL, _REPEATED = 0, 1, 2


class LayoutError(ValueError):
    """A footer that this version does not write, with what is other in it."""


class _Leaf(NamedTuple):
    """A column of values; a list has several of them in a row."""

    path: list[bytes]
    type: int
    encodings: set[int]
    is_list: bool


def require_layout(table: Table, game: Game, footer: bytes, start: int, rows: int) -> None:
    """Raise LayoutError unless a footer is one that `encode` writes for a table.

    The footer starts at a byte of its file, and the manifest says how many rows there are.
    """
    try:
        fields = _named(record_of(footer), _FOOTER, "it")
        _require_schema(table, game, fields["schema"])
        if fields["rows"] != rows:
            raise LayoutError(f"it has {fields['rows']:,} rows, the manifest says {rows:,}")
        if table.key and rows > _MOST_ROWS * start:
            raise LayoutError(f"it has {rows:,} rows in {start:,} bytes")
        _require_row_groups(table, game, fields["row groups"], start, rows)
    except ThriftError as error:
        raise LayoutError(f"its footer cannot be read: {error}") from error
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise LayoutError("its footer is not that of a Parquet file") from error


def _require_schema(table: Table, game: Game, schema: list[Record]) -> None:
    """Raise LayoutError unless the columns have the names, types and nulls of a table."""
    _, expected = _expected(table, game)
    if schema[0].get(5) != len(table.columns):
        raise LayoutError(f"it has {schema[0].get(5)} columns, expected {len(table.columns)}")
    for found, wanted in zip(schema[1:], expected, strict=False):
        if found != wanted:
            name = found[4].decode(errors="replace")
            raise LayoutError(
                f"its column {name} is not declared so: expected {wanted[4].decode()}, "
                f"{_type_of(table, game, wanted[4].decode())}"
            )
    if len(schema) != 1 + len(expected):
        raise LayoutError("its columns are not those declared")


def _type_of(table: Table, game: Game, name: str) -> str:
    """Write the declared type of a column."""
    for column in table.columns:
        if column.name == name:
            return resolve(game, column.type) + (" or null" if column.null else "")
    return "a list"


def _require_row_groups(
    table: Table, game: Game, groups: list[Record], start: int, rows: int
) -> None:
    """Raise LayoutError unless the row groups and their columns follow each other, and fill it."""
    leaves, _ = _expected(table, game)
    if len(groups) != max(1, -(-rows // table.row_group)):
        raise LayoutError(f"it has {len(groups):,} row groups for {rows:,} rows")
    left, at = rows, len(MAGIC)
    for number, group in enumerate(groups):
        fields = _named(group, _ROW_GROUP, f"row group {number}")
        expected = min(left, table.row_group)
        if fields["rows"] != expected:
            raise LayoutError(
                f"its row group {number} has {fields['rows']:,} rows, expected {expected:,}"
            )
        left -= expected
        if len(fields["columns"]) != len(leaves):
            raise LayoutError(f"its row group {number} has {len(fields['columns'])} columns")
        for leaf, chunk in zip(leaves, fields["columns"], strict=True):
            at = _require_column(leaf, chunk, at, expected)
    if at != start:
        raise LayoutError(f"its columns end at byte {at:,}, and its footer starts at {start:,}")


def _require_column(leaf: _Leaf, chunk: Record, at: int, rows: int) -> int:
    """Raise LayoutError unless a column of a row group starts at a byte; return where it ends."""
    name = b".".join(leaf.path).decode()
    fields = _named(_named(chunk, _CHUNK, f"column {name}", "chunk")["column"], _COLUMN,
                  f"column {name}", "column")  # fmt: skip
    is_ours = (
        fields["path"] == leaf.path
        and fields["type"] == leaf.type
        and fields["codec"] == _ZSTD
        and leaf.encodings.issuperset(fields["encodings"])
        and (fields["values"] >= rows if leaf.is_list else fields["values"] == rows)
        and (not rows or fields.get("dictionary", fields["first page"]) == at)
        and (not rows or at <= fields["first page"] < at + fields["packed"])
    )
    if not is_ours:
        raise LayoutError(f"its column {name} is stored otherwise than this version does")
    return at + int(fields["packed"])


def _named(record: Record, names: Mapping[int, str], what: str, kind: str = "") -> dict[str, Any]:
    """Return the values of a record by names. Raises LayoutError for a field without a name."""
    for field in record:
        if field not in names:
            found = _REFUSED.get(kind, {}).get(field, "something")
            raise LayoutError(f"{what} has {found} that this version does not write")
    return {names[field]: value for field, value in record.items()}


@lru_cache
def _expected(table: Table, game: Game) -> tuple[list[_Leaf], list[Record]]:
    """Return the columns of a table, and the records of its schema after the first."""
    leaves, records = [], []
    for column in table.columns:
        name, type_ = column.name.encode(), resolve(game, column.type)
        repetition = _OPTIONAL if column.null else _REQUIRED
        path = [name]
        if type_ == CELLS:
            records += [
                {3: repetition, 4: name, 5: 1, 6: 3, 10: {3: {}}},
                {3: _REPEATED, 4: b"list", 5: 1},
            ]
            name, type_, repetition = b"element", "int8", _REQUIRED
            path += [b"list", name]
        physical = _TYPES.get(type_, _INT32)
        records.append({1: physical, 3: repetition, 4: name, **_logical(type_)})
        encodings = {_CODES.get(column.encoding, 0), *_ALWAYS}
        leaves.append(_Leaf(path, physical, encodings, len(path) > 1))
    return leaves, records


def _logical(type_: str) -> Record:
    """Return the fields of a schema's record that tell narrow integers and text."""
    if type_ == TEXT:
        return {6: 0, 10: {1: {}}}
    if type_ in ("int8", "int16"):
        bits = int(type_.removeprefix("int"))
        return {6: {8: 15, 16: 16}[bits], 10: {10: {1: bits, 2: True}}}
    return {}
