"""What `pipeline.sql.sandbox` and its worker send each other.

The parent sends two JSON objects, each on a line of its own: the statement with its limits, and
later the files to read. Their descriptors come with the second one. The worker answers in frames,
each with its size in front. A frame is JSON or an Arrow stream:

    tables  JSON: the names of the tables whose files the statement reads
    json    the names of the columns; then batches of rows, each a list of lists
    arrow   a stream without rows, for the types of the columns; then a stream for each batch
    last    JSON: ``{}``; or ``error``, a sentence about the SQL, or with a ``cure`` about the
    limits, with ``may_be_data``: whether a damaged file may be the cause, and ``lacks``: the tables
    that are missing
"""

from enum import StrEnum
from struct import Struct

HEAD = Struct(">?Q")
"""Whether the frame is the last, and the bytes that follow."""

FIRST_FILE = 256
"""The descriptor of the first file in a worker; the others follow."""

MOST_FILES = 64
"""How many descriptors are sent together. The system allows 253."""


class RowForm(StrEnum):
    """The form of the rows of an answer."""

    JSON = "json"  # values that JSON can hold
    COLUMNS = "columns"  # the same values, as Arrow
    ARROW = "arrow"  # DuckDB's own types, as Arrow


def frame(content: bytes, *, is_last: bool = False) -> bytes:
    """Put the head in front."""
    return HEAD.pack(is_last, len(content)) + content
