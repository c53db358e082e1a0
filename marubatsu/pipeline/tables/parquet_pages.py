"""The pages of a column in a Parquet file: what their heads say, compared with the footer.

A page says how many values it has, and how many bytes they are when they are unpacked. A library
takes that much memory before it unpacks anything, so a file of kilobytes could ask for gigabytes.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from marubatsu.pipeline.tables import parquet_records as parquet
from marubatsu.pipeline.tables.thrift import Record, ThriftError, record_of

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


def has_its_pages(file: Bytes, leaf: Leaf, column: Record, at: int, rows: int) -> bool:
    """Whether the pages of a column from a byte on are those that the footer tells, and no larger.

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
    """Read the heads of the pages between two bytes."""
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
