"""How the process of a query sends its answer: frames, each with its size in front.

A frame is JSON or an Arrow stream, as the request says. The last frame is always JSON: either
``{}`` or ``{"error": sentence, "usage": whether the SQL is at fault}``. Those before it are:

    json    the names of the columns; then batches of rows, each a list of lists
    arrow   a stream without rows, for the types of the columns; then a stream for each batch
"""

from enum import StrEnum
from struct import Struct

HEAD = Struct(">?Q")
"""Whether the frame is the last, and the bytes that follow."""


class RowForm(StrEnum):
    """The form of the rows of an answer: plain values, or DuckDB's own types."""

    JSON = "json"
    ARROW = "arrow"


def frame(content: bytes, *, is_last: bool = False) -> bytes:
    """Put the head in front."""
    return HEAD.pack(is_last, len(content)) + content
