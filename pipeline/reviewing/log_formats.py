"""The formats of logs: which there are, and which one a file has."""

import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum

from marubatsu.pipeline.reviewing import (
    csv_tables,
    json_lines,
    kaggle_replays,
    move_lists,
    pgn_text,
)
from marubatsu.pipeline.reviewing.recorded import LogFile, RecordedGame


class LogFormat(StrEnum):
    """A format of logs."""

    MOVES = "moves"
    PGN = "pgn"
    JSONL = "jsonl"
    KAGGLE = "kaggle"
    CSV = "csv"


READERS: Mapping[LogFormat, Callable[[LogFile], Iterator[RecordedGame]]] = {
    LogFormat.MOVES: move_lists.read,
    LogFormat.PGN: pgn_text.read,
    LogFormat.JSONL: json_lines.read,
    LogFormat.KAGGLE: kaggle_replays.read,
    LogFormat.CSV: csv_tables.read,
}

_BEGINNING = 100_000  # bytes that tell the format


def format_of(log: LogFile) -> LogFormat:
    """Return the format that the beginning of a file has; lists of moves where it has no other.

    >>> [format_of(LogFile("x", text)).value for text in (b'[First "ann"]', b"{}", b"b2 a3")]
    ['pgn', 'jsonl', 'moves']
    """
    beginning = log.data[:_BEGINNING].decode("utf-8-sig", "replace").lstrip()
    if re.match(r'\[\s*\w+\s+"|1\.', beginning):
        return LogFormat.PGN
    if beginning[:1] in ("{", "["):
        is_replay = re.search(r'"(steps|configuration)"\s*:', beginning)
        return LogFormat.KAGGLE if is_replay else LogFormat.JSONL
    header = beginning.partition("\n")[0]
    if log.columns or "moves" in header.strip().replace('"', "").split(","):
        return LogFormat.CSV
    return LogFormat.MOVES
