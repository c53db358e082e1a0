"""The formats of logs: which there are, and which one a file has."""

import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum

from marubatsu.judge.review import (
    csv_tables,
    json_lines,
    kaggle_replays,
    move_lists,
    openenv_episodes,
    pgn_text,
    textarena_traces,
)
from marubatsu.judge.review.recorded import LogFile, RecordedGame


class LogFormat(StrEnum):
    """A format of logs."""

    MOVES = "moves"
    PGN = "pgn"
    JSONL = "jsonl"
    KAGGLE = "kaggle"
    TEXTARENA = "textarena"
    OPENENV = "openenv"
    CSV = "csv"


READERS: Mapping[LogFormat, Callable[[LogFile], Iterator[RecordedGame]]] = {
    LogFormat.MOVES: move_lists.read,
    LogFormat.PGN: pgn_text.read,
    LogFormat.JSONL: json_lines.read,
    LogFormat.KAGGLE: kaggle_replays.read,
    LogFormat.TEXTARENA: textarena_traces.read,
    LogFormat.OPENENV: openenv_episodes.read,
    LogFormat.CSV: csv_tables.read,
}

_KEY = re.compile(r'"(\w+)"\s*:')
_KEYS = (
    (LogFormat.OPENENV, {"episode_id", "tool_trace"}),
    (LogFormat.TEXTARENA, set(textarena_traces.COLUMNS)),
    (LogFormat.KAGGLE, {"configuration"}),
    (LogFormat.KAGGLE, {"steps"}),
)
"""The keys that tell a format of JSON, the first format that has all of them."""

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
        keys = set(_KEY.findall(beginning))
        return next((form for form, needed in _KEYS if needed <= keys), LogFormat.JSONL)
    header = beginning.partition("\n")[0]
    if all(column in header for column in textarena_traces.COLUMNS):
        return LogFormat.TEXTARENA
    if log.options.columns or csv_tables.names_columns(header):
        return LogFormat.CSV
    return LogFormat.MOVES
