"""The layout of a Parquet file, as the file describes it, compared with that of the files we write.

Readers take types, places, sizes and numbers of rows from the footer and the heads of pages, and
pass over rows by statistics. No hash says that these fit the rows where somebody rewrote both file
and manifest. So our files have no statistics, and what `encode` does not write is refused.

A page says how many values it has, and how many bytes they are when they are unpacked. A library
takes that much memory before it unpacks anything, so a file of kilobytes could ask for gigabytes.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, Protocol

from marubatsu.engine.rules.bounds import MAX_POSITIONS, arrangements
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables import parquet_records as parquet
from marubatsu.pipeline.tables import schemas
from marubatsu.pipeline.tables.parquet_records import Record, ThriftError, record_of
from marubatsu.pipeline.tables.schemas import Table, resolve

_MAGIC = b"PAR1"
_TAIL = 8  # bytes after the footer: its size, and _MAGIC
_VERSION = 2  # of the format, in a footer
_MOST_ROWS = 20  # rows for each byte of a file at most; files that builds write have up to 5

_MOST_ROWS_OF_MOVES = 1_000
"""Rows of a table at most, for each move of each position; searches have up to 40."""

_MOST_FOOTER, _FOOTER_BESIDES = 1_000, 100_000
"""Bytes of a footer at most: for each column of each row group, and besides."""

_TYPES = {
    schemas.BOOL: 0, schemas.INT64: 2, schemas.FLOAT32: 4, schemas.FLOAT64: 5,
    schemas.TEXT: parquet.BYTE_ARRAY,
}  # fmt: skip
_INT32 = 1  # the type of all other integers
_ENCODINGS = {
    schemas.DICTIONARY: {parquet.RLE_DICTIONARY, parquet.PLAIN},  # plain where a dictionary is full
    schemas.DELTA: {parquet.DELTA_BINARY_PACKED},
    schemas.PREFIX: {parquet.DELTA_BYTE_ARRAY},
    schemas.SPLIT: {parquet.BYTE_STREAM_SPLIT, parquet.PLAIN},  # plain for other programs
    schemas.PLAIN: {parquet.PLAIN, parquet.RLE},  # RLE for Boolean values
}
_ALWAYS = {parquet.PLAIN, parquet.RLE}
"""Encodings of dictionaries, and of where nulls and lists are."""

_HEAD = 128  # bytes of the head of a page at most; those of ours have up to 40

_MOST_BYTES, _BYTES_BESIDES = 16, 1 << 12
"""Bytes of a page at most, unpacked: for each value with what says where nulls are, and besides."""

_MOST_TEXT, _TEXT_BESIDES = 256, 1 << 20
"""The same for text, of which few rows may have much; a dictionary gives each text to many rows."""

_CONTENT = {
    parquet.DATA_PAGE: "data",
    parquet.DATA_PAGE_V2: "data of version 2",
    parquet.DICTIONARY_PAGE: "dictionary",
}
"""What a page of a type has; nothing else."""

_COUNTED_AS = {parquet.DATA_PAGE_V2: parquet.DATA_PAGE}
"""The type under which footers of Arrow count a page."""


class Bytes(Protocol):
    """An open file."""

    @property
    def size(self) -> int:
        """How many bytes it has."""

    def read(self, count: int, at: int) -> bytes:
        """Return bytes from a place on, fewer at the end."""


class Leaf(NamedTuple):
    """A column of values; where it has lists, each row has any number of them."""

    path: list[bytes]
    type: int
    encodings: set[int]  # of its values
    most: int  # values in a row
    is_plain: bool  # no null and no list, so nothing says which values a row has

    @property
    def name(self) -> str:
        """Its name in errors."""
        return b".".join(self.path).decode()


class _Page(NamedTuple):
    at: int
    type: int
    content: Record
    head: int  # bytes
    unpacked: int  # bytes, without the head

    @property
    def is_dictionary(self) -> bool:
        return self.type == parquet.DICTIONARY_PAGE


class LayoutError(ValueError):
    """A file that this version does not write, with what is other in it."""


def require_layout(table: Table, game: Game, file: Bytes, rows: int) -> None:
    """Raise LayoutError unless a file with so many rows is as `encode` writes them for a table."""
    try:
        footer, start = _footer(table, game, file, rows)
        _require_schema(table, game, footer["schema"])
        if footer["rows"] != rows:
            raise LayoutError(f"it has {footer['rows']:,} rows, the manifest says {rows:,}")
        moves = min(sum(arrangements(game)), MAX_POSITIONS) * game.cells  # or more than there are
        if table.key and rows > min(_MOST_ROWS * start, _MOST_ROWS_OF_MOVES * moves):
            raise LayoutError(f"it has {rows:,} rows in {start:,} bytes")
        _require_row_groups(table, game, footer["row groups"], file, start, rows)
        _require_words(table, game, footer)
    except ThriftError as error:
        raise LayoutError(f"its records cannot be read: {error}") from error


def _footer(table: Table, game: Game, file: Bytes, rows: int) -> tuple[Record, int]:
    """Return the footer of a file, and the byte where it starts."""
    end = file.read(_TAIL, max(0, file.size - _TAIL))
    size = int.from_bytes(end[: -len(_MAGIC)], "little")
    start = file.size - _TAIL - size
    if {file.read(len(_MAGIC), 0), end[-len(_MAGIC) :]} != {_MAGIC} or start < len(_MAGIC):
        raise LayoutError("it is no Parquet file")
    leaves, _ = _expected(table, game)
    if size > _FOOTER_BESIDES + _MOST_FOOTER * len(leaves) * _row_groups(table, rows):
        raise LayoutError(f"its footer has {size:,} bytes")
    footer, used = record_of(file.read(size, start), parquet.FOOTER)
    if used != size:
        raise LayoutError(f"its footer ends {size - used} bytes too early")
    return footer, start


def _row_groups(table: Table, rows: int) -> int:
    return max(1, -(-rows // table.row_group))


def _require_schema(table: Table, game: Game, schema: list[Record]) -> None:
    _, columns = _expected(table, game)
    count = len(table.columns)
    expected = [{"repetition": parquet.REQUIRED, "name": b"schema", "children": count}, *columns]
    if len(schema) != len(expected):
        raise LayoutError("it has another number of columns")
    for element, wanted in zip(schema, expected, strict=True):
        if element != wanted:
            name = element["name"].decode(errors="replace")
            raise LayoutError(f"its column {name} is not declared so")


def _require_words(table: Table, game: Game, footer: Record) -> None:
    """Raise LayoutError unless a footer has the words of ours: game, table, and types of Arrow.

    DuckDB follows some others, such as those of GeoParquet. The types are compared by who reads.
    """
    leaves, _ = _expected(table, game)
    words = {word["key"]: word["value"] for word in footer["words"]}
    is_ours = (
        footer["version"] == _VERSION
        and len(words) == len(footer["words"])
        and words.pop(b"marubatsu.game", b"") == game.notation.encode()
        and words.pop(b"marubatsu.table", b"") == table.name.encode()
        and words.keys() == {b"ARROW:schema"}
        and len(footer["orders"]) == len(leaves)
    )
    if not is_ours:
        raise LayoutError(f"its footer is not that of {table.name} of {game.notation}")


def _require_row_groups(
    table: Table, game: Game, groups: list[Record], file: Bytes, start: int, rows: int
) -> None:
    leaves, _ = _expected(table, game)
    if len(groups) != _row_groups(table, rows):
        raise LayoutError(f"it has {len(groups):,} row groups for {rows:,} rows")
    names = [column.name for column in table.columns]
    order = [
        {"column": names.index(name), "descending": False, "nulls": False} for name in table.key
    ]
    left, at = rows, len(_MAGIC)
    for number, group in enumerate(groups):
        expected = min(left, table.row_group)
        if group["rows"] != expected:
            raise LayoutError(
                f"its row group {number} has {group['rows']:,} rows, expected {expected:,}"
            )
        left -= expected
        if group.get("order", order) != order:
            raise LayoutError(f"its row group {number} is not in the order of its key")
        if len(group["columns"]) != len(leaves):
            raise LayoutError(f"its row group {number} has {len(group['columns'])} columns")
        for leaf, chunk in zip(leaves, group["columns"], strict=True):
            at = _require_column(leaf, chunk["column"], file, at, expected)
    if at != start:
        raise LayoutError(f"its columns end at byte {at:,}, and its footer starts at {start:,}")


def _require_column(leaf: Leaf, column: Record, file: Bytes, at: int, rows: int) -> int:
    """Raise LayoutError unless a column of a row group starts at a byte; return where it ends."""
    is_ours = (
        column["path"] == leaf.path
        and column["type"] == leaf.type
        and column["codec"] == parquet.ZSTD
        and {*column["encodings"]} <= leaf.encodings | _ALWAYS
        and 0 <= column["packed"] <= file.size - at
        and has_its_pages(file, leaf, column, at, rows)
    )
    if not is_ours:
        raise LayoutError(f"its column {leaf.name} is stored otherwise than this version does")
    return at + int(column["packed"])


@lru_cache
def _expected(table: Table, game: Game) -> tuple[list[Leaf], list[Record]]:
    """Return the columns of a table, and the records of its schema after the first."""
    leaves, records = [], []
    for column in table.columns:
        name, type_ = column.name.encode(), resolve(game, column.type)
        repetition = parquet.OPTIONAL if column.null else parquet.REQUIRED
        path, most = [name], 1
        if type_ == schemas.CELLS:
            records += [
                {"repetition": repetition, "name": name, "children": 1, "converted": 3,
                 "logical": {"list": {}}},
                {"repetition": parquet.REPEATED, "name": b"list", "children": 1},
            ]  # fmt: skip
            name, type_, repetition = b"element", "int8", parquet.REQUIRED
            path, most = [*path, b"list", name], game.cells
        physical = _TYPES.get(type_, _INT32)
        records.append(
            {"type": physical, "repetition": repetition, "name": name, **_logical(type_)}
        )
        encodings = _ENCODINGS[column.encoding]
        is_plain = not column.null and len(path) == 1
        leaves.append(Leaf(path, physical, encodings, most, is_plain))
    return leaves, records


def _logical(type_: str) -> Record:
    """Return the fields of a schema's record that mark narrow integers and text."""
    if type_ == schemas.TEXT:
        return {"converted": 0, "logical": {"text": {}}}
    if type_ in ("int8", "int16"):
        bits = int(type_.removeprefix("int"))
        integer = {"bits": bits, "signed": True}
        return {"converted": {8: 15, 16: 16}[bits], "logical": {"integer": integer}}
    return {}


def has_its_pages(file: Bytes, leaf: Leaf, column: Record, at: int, rows: int) -> bool:
    """Whether the pages of a column from a byte on are those that the footer lists, and no larger.

    The column is that of the footer. Raises ThriftError when a head cannot be read.
    """
    pages = list(_pages(file, at, at + column["packed"]))
    data = [page for page in pages if not page.is_dictionary]
    kinds = [(_COUNTED_AS.get(page.type, page.type), page.content["encoding"]) for page in pages]
    counted = {(of["type"], of["encoding"]): of["count"] for of in column.get("pages", ())}
    values = sum(page.content["values"] for page in data)
    return (
        rows <= values == column["values"] <= rows * leaf.most
        and column["first page"] == (data[0].at if data else 0)
        and [page.at for page in pages if page.is_dictionary] == [at] * ("dictionary" in column)
        and column.get("dictionary", at) == at
        and sum(page.head + page.unpacked for page in pages) == column["unpacked"]
        and counted in ({}, {kind: kinds.count(kind) for kind in kinds})
        and all(_is_ours(leaf, page, rows * leaf.most) for page in pages)
    )


def _pages(file: Bytes, at: int, end: int) -> Iterator[_Page]:
    while at < end:
        head, size = record_of(file.read(min(_HEAD, end - at), at), parquet.PAGE_HEAD)
        content = _CONTENT.get(head["type"], "")
        if head.keys() - {"checksum"} != {"type", "unpacked", "packed", content}:
            raise ThriftError("a page has what its type has not")
        if not 0 <= head["packed"] <= end - at - size or head["unpacked"] < 0:
            raise ThriftError("a page does not end where its column ends")
        yield _Page(at, head["type"], head[content], size, head["unpacked"])
        at += size + int(head["packed"])


def _is_ours(leaf: Leaf, page: _Page, most: int) -> bool:
    """Whether a page is one of a column with so many values at most."""
    of, values = page.content, page.content["values"]
    is_text = leaf.type == parquet.BYTE_ARRAY
    bytes_each = _MOST_TEXT if is_text else _MOST_BYTES
    besides = _TEXT_BESIDES if is_text and not page.is_dictionary else _BYTES_BESIDES
    if not 0 <= values <= most or page.unpacked > bytes_each * values + besides:
        return False
    if page.is_dictionary:
        is_whole = is_text or page.unpacked == parquet.SIZES[leaf.type] * values
        return bool(of["encoding"] == parquet.PLAIN and is_whole)
    if page.type == parquet.DATA_PAGE:
        is_ours = of["nulls"] == of["levels"] == parquet.RLE
    else:
        levels = of["nulls"] + of["levels"]
        is_ours = (
            of["rows"] <= values
            and 0 <= of["null values"] <= values
            and min(of["nulls"], of["levels"], of["rows"]) >= 0
            and levels <= page.unpacked
            and not (leaf.is_plain and (levels or of["null values"] or of["rows"] != values))
        )
    return is_ours and of["encoding"] in leaf.encodings
