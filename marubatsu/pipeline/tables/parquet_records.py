"""The records of a Parquet file that this version writes: its footer, and the heads of its pages.

Apache Thrift writes them compactly. A record is read by the structure that it should have. A field
of another number or kind is refused, such as statistics, an index or a key: libraries pass over
some of them, each in its own way.
Sources: the specification "Thrift compact protocol" of Apache Thrift; parquet.thrift in that of
Apache Parquet, which numbers the fields.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

_LONGEST = 10  # bytes of a number of 64 bits


class ThriftError(ValueError):
    """Bytes that are no record of a structure, with what is wrong."""


@dataclass(frozen=True, eq=False)
class Simple:
    """A Boolean value, which is in its code, bytes, or an integer of so many bits."""

    codes: tuple[int, ...]
    bits: int = 0


_TRUE, _FALSE = 1, 2
BOOL, BINARY = Simple((_TRUE, _FALSE)), Simple((8,))
I8, I16, I32, I64 = (Simple((code,), bits) for code, bits in ((3, 8), (4, 16), (5, 32), (6, 64)))


@dataclass(frozen=True, eq=False)
class ListOf:
    """A list of values of one kind."""

    of: "Kind"
    codes: tuple[int, ...] = (9,)


@dataclass(frozen=True, eq=False)
class Structure:
    """A record: the name and the kind of each field by its number."""

    name: str
    fields: Mapping[int, tuple[str, "Kind"]]
    optional: tuple[str, ...] = ()  # all other fields have to be there
    codes: tuple[int, ...] = (12,)

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The names of the fields that have to be there."""
        return tuple(name for name, _ in self.fields.values() if name not in self.optional)


Kind = Simple | ListOf | Structure
"""What a value may be, with the codes that announce it."""

Record = dict[str, Any]
"""The values of a record by the names of its fields; those that are not there are left out."""


def record_of(data: bytes, structure: Structure) -> tuple[Record, int]:
    """Read the record at the start of some bytes; return it, and the number of its bytes.

    Raises ThriftError when there is none.
    """
    reader = _Reader(data)
    try:
        return reader.record(structure), reader.at
    except IndexError:
        raise ThriftError("it ends too early") from None


class _Reader:
    """A place in bytes. Reading past the end raises IndexError."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def record(self, structure: Structure) -> Record:
        record: Record = {}
        number = 0
        while head := self._byte():
            step, code = head >> 4, head & 15
            number = number + step if step else self._integer(I16)
            if number not in structure.fields:
                raise ThriftError(f"a {structure.name} has field {number}, which we do not write")
            name, kind = structure.fields[number]
            if name in record:
                raise ThriftError(f"a {structure.name} has {name} twice")
            if code not in kind.codes:
                raise ThriftError(f"a {structure.name} has {name} of another kind")
            record[name] = code == _TRUE if kind is BOOL else self._value(kind)
        for name in structure.required:
            if name not in record:
                raise ThriftError(f"a {structure.name} has no {name}")
        return record

    def _value(self, kind: Kind) -> Any:
        if isinstance(kind, Structure):
            return self.record(kind)
        if isinstance(kind, ListOf):
            return self._list(kind.of)
        return self._integer(kind) if kind.bits else self._bytes(self._varint())

    def _list(self, kind: Kind) -> list[Any]:
        head = self._byte()
        size = head >> 4
        if size == 15:
            size = self._varint()
        if head & 15 not in kind.codes:
            raise ThriftError("it has a list of another kind")
        if size > len(self.data) - self.at:  # A value has a byte at least.
            raise ThriftError("it ends too early")
        return [self._value(kind) for _ in range(size)]

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _bytes(self, size: int) -> bytes:
        start = self.at
        self.at += size
        if self.at > len(self.data):
            raise ThriftError("it ends too early")
        return self.data[start : self.at]

    def _varint(self) -> int:
        """Read a number without a sign: seven bits a byte, the lowest first."""
        number = 0
        for shift in range(0, 7 * _LONGEST, 7):
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
        raise ThriftError("it has a number of more than 64 bits")

    def _integer(self, kind: Simple) -> int:
        """Read a number whose lowest bit is its sign; in 8 bits, it is a byte."""
        if kind is I8:
            byte = self._byte()
            return byte - 256 if byte > 127 else byte
        coded = self._varint()
        if coded >> kind.bits:
            raise ThriftError(f"it has a number of more than {kind.bits} bits")
        return coded >> 1 ^ -(coded & 1)


PLAIN, RLE, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY, RLE_DICTIONARY, BYTE_STREAM_SPLIT = (
    0, 3, 5, 7, 8, 9,
)  # fmt: skip
"""Encodings; RLE is that of Boolean values, and of where nulls and lists are."""

REQUIRED, OPTIONAL, REPEATED = 0, 1, 2
"""How often a column has a value in a row: once, once at most, any number of times."""

DATA_PAGE, DICTIONARY_PAGE, DATA_PAGE_V2 = 0, 2, 3
"""Types of pages."""

BYTE_ARRAY = 6
"""The type of text."""

SIZES = {1: 4, 2: 8, 4: 4, 5: 8}
"""Bytes of a value of each type of numbers: int32, int64, float, double."""

ZSTD = 6
"""The codec of all pages."""

_EMPTY = Structure("type", {})
_INTEGER = Structure("type", {1: ("bits", I8), 2: ("signed", BOOL)})
_LOGICAL = Structure(
    "type",
    {1: ("text", _EMPTY), 3: ("list", _EMPTY), 10: ("integer", _INTEGER)},
    ("text", "list", "integer"),
)
_SCHEMA = Structure(
    "schema",
    {1: ("type", I32), 3: ("repetition", I32), 4: ("name", BINARY), 5: ("children", I32),
     6: ("converted", I32), 10: ("logical", _LOGICAL)},
    ("type", "children", "converted", "logical"),
)  # fmt: skip
_COUNT = Structure("count of pages", {1: ("type", I32), 2: ("encoding", I32), 3: ("count", I32)})
_SIZES = Structure(
    "record of sizes",
    {1: ("bytes", I64), 2: ("levels", ListOf(I64)), 3: ("nulls", ListOf(I64))},
    ("bytes", "levels", "nulls"),
)
_COLUMN = Structure(
    "column",
    {1: ("type", I32), 2: ("encodings", ListOf(I32)), 3: ("path", ListOf(BINARY)),
     4: ("codec", I32), 5: ("values", I64), 6: ("unpacked", I64), 7: ("packed", I64),
     9: ("first page", I64), 11: ("dictionary", I64), 13: ("pages", ListOf(_COUNT)),
     16: ("sizes", _SIZES)},
    ("dictionary", "pages", "sizes"),
)  # fmt: skip
_CHUNK = Structure("column", {2: ("offset", I64), 3: ("column", _COLUMN)})
_ORDER = Structure("order", {1: ("column", I32), 2: ("descending", BOOL), 3: ("nulls", BOOL)})
_ROW_GROUP = Structure(
    "row group",
    {1: ("columns", ListOf(_CHUNK)), 2: ("unpacked", I64), 3: ("rows", I64),
     4: ("order", ListOf(_ORDER)), 5: ("offset", I64), 6: ("packed", I64), 7: ("number", I16)},
    ("order", "offset", "packed", "number"),
)  # fmt: skip
_WORD = Structure("word", {1: ("key", BINARY), 2: ("value", BINARY)})
FOOTER = Structure(
    "footer",
    {1: ("version", I32), 2: ("schema", ListOf(_SCHEMA)), 3: ("rows", I64),
     4: ("row groups", ListOf(_ROW_GROUP)), 5: ("words", ListOf(_WORD)), 6: ("writer", BINARY),
     7: ("orders", ListOf(Structure("order", {1: ("by type", _EMPTY)})))},
)  # fmt: skip

_NO_STATISTICS = Structure("record of statistics", {})  # Arrow writes it, with nothing in it.
_DATA = Structure(
    "page",
    {1: ("values", I32), 2: ("encoding", I32), 3: ("nulls", I32), 4: ("levels", I32),
     5: ("statistics", _NO_STATISTICS)},
    ("statistics",),
)  # fmt: skip
_DICTIONARY = Structure(
    "page", {1: ("values", I32), 2: ("encoding", I32), 3: ("sorted", BOOL)}, ("sorted",)
)
_DATA_V2 = Structure(
    "page",
    {1: ("values", I32), 2: ("null values", I32), 3: ("rows", I32), 4: ("encoding", I32),
     5: ("nulls", I32), 6: ("levels", I32), 7: ("is packed", BOOL),
     8: ("statistics", _NO_STATISTICS)},
    ("is packed", "statistics"),
)  # fmt: skip
PAGE_HEAD = Structure(
    "page",
    {1: ("type", I32), 2: ("unpacked", I32), 3: ("packed", I32), 4: ("checksum", I32),
     5: ("data", _DATA), 7: ("dictionary", _DICTIONARY), 8: ("data of version 2", _DATA_V2)},
    ("checksum", "data", "dictionary", "data of version 2"),
)  # fmt: skip
