"""The records of a Parquet file that this version writes: its footer, and the heads of its pages.

Numbers of fields are those of parquet.thrift in the specification of Apache Parquet.
"""

from marubatsu.pipeline.tables.thrift import BINARY, BOOL, I8, I16, I32, I64, ListOf, Structure

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
    {10: "an index", 12: "statistics", 14: "a Bloom filter", 17: "statistics"},
)  # fmt: skip
_CHUNK = Structure(
    "column",
    {2: ("offset", I64), 3: ("column", _COLUMN)},
    unknown={1: "a file of its own", 4: "an index", 6: "an index", 8: "a key", 9: "a key"},
)
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
    unknown={8: "a key", 9: "a key"},
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
