"""The heads of pages: which pages of a column are read, and which are refused."""

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from marubatsu.pipeline.tables import parquet_records as parquet
from marubatsu.pipeline.tables.parquet_layout import Leaf, has_its_pages

Fields = Mapping[int, "int | Fields"]

NUMBERS = Leaf([b"number"], 1, {parquet.PLAIN}, 1, is_plain=True)
LISTS = Leaf([b"list"], 1, {parquet.PLAIN}, 9, is_plain=False)
TEXTS = Leaf([b"text"], parquet.BYTE_ARRAY, {parquet.PLAIN}, 1, is_plain=True)

ROWS, OTHER = 5, 99
"""The rows of the column, and an encoding that is not one of its own."""


class File(NamedTuple):
    """A file in memory."""

    data: bytes

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return len(self.data)

    def read(self, count: int, at: int) -> bytes:
        """Return bytes from a place on."""
        return self.data[at : at + count]


def record(fields: Fields) -> bytes:
    """Write a record of whole numbers and records, by the numbers of its fields."""
    parts, before = [], 0
    for number, value in fields.items():
        is_record = isinstance(value, Mapping)
        parts.append(bytes([number - before << 4 | (12 if is_record else 5)]))
        parts.append(record(value) if isinstance(value, Mapping) else coded(value))
        before = number
    return b"".join([*parts, b"\0"])


def coded(value: int) -> bytes:
    """Write a number as Thrift does: its sign in the lowest bit, seven bits a byte."""
    left = value << 1 if value >= 0 else ~(value << 1)
    parts = []
    while left > 127:
        parts.append(left & 127 | 128)
        left >>= 7
    return bytes([*parts, left])


def old(
    values: int = ROWS,
    encoding: int = parquet.PLAIN,
    nulls: int = parquet.RLE,
    levels: int = parquet.RLE,
) -> Fields:
    """Return the head of a data page of the first version."""
    return {1: parquet.DATA_PAGE, 5: {1: values, 2: encoding, 3: nulls, 4: levels}}


def new(
    values: int = ROWS, null: int = 0, rows: int = ROWS, encoding: int = parquet.PLAIN,
    nulls: int = 0, levels: int = 0,
) -> Fields:  # fmt: skip
    """Return the head of a data page of the second version."""
    content = {1: values, 2: null, 3: rows, 4: encoding, 5: nulls, 6: levels}
    return {1: parquet.DATA_PAGE_V2, 8: content}


def dictionary(values: int = 3, encoding: int = parquet.PLAIN) -> Fields:
    """Return the head of a dictionary."""
    return {1: parquet.DICTIONARY_PAGE, 7: {1: values, 2: encoding}}


def is_accepted(leaf: Leaf, *pages: tuple[Fields, int]) -> bool:
    """Whether a column of these pages and unpacked sizes is ours, when the footer agrees."""
    heads = [record({1: head[1], 2: size, 3: 0, **head}) for head, size in pages]
    starts = [sum(map(len, heads[:number])) for number in range(len(heads))]
    data = [number for number, (head, _) in enumerate(pages) if 7 not in head]
    counts = [content[1] for number in data for content in pages[number][0].values()
              if isinstance(content, Mapping)]  # fmt: skip
    column = {
        "packed": sum(map(len, heads)),
        "unpacked": sum(map(len, heads)) + sum(size for _, size in pages),
        "values": sum(count for count in counts if isinstance(count, int)),
        "first page": starts[data[0]],
        **({"dictionary": 0} if len(data) < len(pages) else {}),
    }
    return has_its_pages(File(b"".join(heads)), leaf, column, 0, ROWS)


@pytest.mark.parametrize(
    ("leaf", "pages"),
    [
        (NUMBERS, [(old(), 20)]), (NUMBERS, [(new(), 20)]), (NUMBERS, [(new(), 16 * ROWS + 4096)]),
        (NUMBERS, [(new(0, rows=0), 0), (new(), 20)]), (NUMBERS, [(dictionary(), 12), (old(), 20)]),
        (LISTS, [(new(9, 4, 5, nulls=2, levels=2), 30)]),
        (LISTS, [(new(9, 9, 5, nulls=2, levels=2), 4)]),
        (TEXTS, [(dictionary(), 256 * 3 + 4096), (new(), 256 * ROWS + (1 << 20))]),
    ],
)  # fmt: skip
def test_pages_that_we_write_are_accepted(leaf: Leaf, pages: list[tuple[Fields, int]]) -> None:
    assert is_accepted(leaf, *pages)


@pytest.mark.parametrize(
    ("leaf", "pages"),
    [
        (NUMBERS, [(old(encoding=OTHER), 20)]), (NUMBERS, [(old(nulls=0), 20)]),
        (NUMBERS, [(old(levels=0), 20)]), (NUMBERS, [(new(encoding=OTHER), 20)]),
        (NUMBERS, [(new(null=1), 20)]), (NUMBERS, [(new(rows=4), 20)]),
        (NUMBERS, [(new(levels=1), 20)]), (NUMBERS, [(new(), 16 * ROWS + 4097)]),
        (NUMBERS, [(dictionary(encoding=OTHER), 12), (old(), 20)]),
        (NUMBERS, [(dictionary(), 13), (old(), 20)]), (LISTS, [(new(9, 10, 5), 30)]),
        (LISTS, [(new(9, -1, 5), 30)]), (LISTS, [(new(9, 0, 10), 30)]),
        (LISTS, [(new(9, 0, -1), 30)]), (LISTS, [(new(9, 0, 5, nulls=-1, levels=2), 30)]),
        (LISTS, [(new(9, 0, 5, nulls=2, levels=-1), 30)]),
        (LISTS, [(new(9, 0, 5, nulls=16, levels=15), 30)]), (LISTS, [(new(46), 30)]),
        (LISTS, [(old(-1), 0), (old(6), 24)]),
        (TEXTS, [(dictionary(), 256 * 3 + 4097), (new(), 20)]),
        (TEXTS, [(new(), 256 * ROWS + (1 << 20) + 1)]),
    ],
)  # fmt: skip
def test_other_pages_are_refused(leaf: Leaf, pages: list[tuple[Fields, int]]) -> None:
    assert not is_accepted(leaf, *pages)
