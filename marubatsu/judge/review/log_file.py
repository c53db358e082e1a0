"""A log that is not yet understood: its lines or objects, their places, and what its user says."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from json import JSONDecodeError
from pathlib import Path
from typing import NamedTuple

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.json_text import (
    DECODER,
    NoTextError,
    RepeatedKeyError,
    bytes_of,
    require_text,
)

MOST_BYTES = 64_000_000  # of a file
MOST_LINE = 4_000_000  # bytes of a line
_MOST_PATH = 300  # characters of it in a message

_BETWEEN = re.compile(r"[\s,]*")

Token = str | int | tuple[int, ...] | None  # a move in a log; None where a player made none


class GamePlace(NamedTuple):
    """Where a game begins."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"line {self.line} of {quote(self.file, _MOST_PATH)}"

    def fault(self, why: str) -> UsageError:
        """Return the error that something is wrong there."""
        return UsageError(f"{self}: {why}")


def quoted_json(value: object) -> str:
    """Name a value of JSON for a message: quoted, unless it holds others.

    >>> quoted_json("seven"), quoted_json(7), quoted_json([[]])
    ("'seven'", "'7'", 'a list')
    """
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return quote(str(value))


def encodable(text: str) -> str:
    """Escape what UTF-8 cannot hold."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True)
class LogOptions:
    """What the user says about logs."""

    columns: Mapping[str, str] = field(default_factory=dict)  # of tables or objects, by their field
    first: str | None = None  # the mark that begins, o or x; None: the user does not say
    results: Mapping[str, str] = field(default_factory=dict)  # words: first, second, draw or none
    game: Game | None = None  # where the user names it
    is_column_first: bool = False  # whether the stated numbering has pairs of column and row


_SILENT = LogOptions()


@dataclass(frozen=True)
class LogFile:
    """The content of a file, not yet understood."""

    name: str
    data: bytes
    options: LogOptions = _SILENT

    def lines(self) -> Iterator[tuple[GamePlace, str]]:
        """Yield every line with its place. Raises UsageError where one is too long, or no UTF-8."""
        for number, line in enumerate(BytesIO(self.data), start=1):
            place = GamePlace(self.name, number)
            if len(line) > MOST_LINE:
                raise place.fault(f"it has more than {MOST_LINE:,} bytes")
            try:
                yield place, line.decode().lstrip("\ufeff")  # Joined files have it in the middle.
            except UnicodeDecodeError as error:
                raise place.fault(
                    f"byte {error.start} is no UTF-8: save the file as UTF-8"
                ) from None


def open_log(file: Path, options: LogOptions = _SILENT) -> LogFile:
    """Read a file. Raises UsageError when it cannot be read, or is too large."""
    name = encodable(str(file))
    try:
        data = bytes_of(file, MOST_BYTES)
    except NoTextError as error:
        raise UsageError(f"cannot read {quote(name, _MOST_PATH)}: {error}") from None
    if b"\r" in data:  # at the end of lines, alone in old programs
        data = data.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        require_text(data)
    except NoTextError as error:
        raise GamePlace(name, 1).fault(str(error)) from None
    return LogFile(name, data, options)


def objects(log: LogFile) -> Iterator[tuple[GamePlace, dict[str, object]]]:
    """Yield the objects of a file, each with its place. Raises UsageError for anything else."""
    text = "".join(line for _, line in log.lines())
    at = _after_space(text, 0)
    is_list = text.startswith("[", at)
    at, line, counted = _after_space(text, at + is_list), 1, 0
    while at < len(text) and not (is_list and text[at] == "]"):
        line, counted = line + text.count("\n", counted, at), at
        place = GamePlace(log.name, line)
        value, end = _decoded(place, text, at)
        yield place, as_object(place, value)
        at = _after_space(text, end)
    if is_list:
        place = GamePlace(log.name, 1 + text.count("\n"))
        if at >= len(text):
            raise place.fault("the list is never closed")
        if text[at + 1 :].strip():
            raise place.fault("something follows the list")


def _decoded(place: GamePlace, text: str, start: int) -> tuple[object, int]:
    try:
        return DECODER.raw_decode(text, start)
    except JSONDecodeError as error:
        at = place._replace(line=place.line + text.count("\n", start, error.pos))
        raise at.fault(f"no JSON: {error.msg}") from None
    except RepeatedKeyError as error:
        raise place.fault(str(error)) from None
    except RecursionError:
        raise place.fault("the JSON is nested too deeply") from None
    except ValueError:
        raise place.fault("the JSON has a number of too many digits") from None


def as_object(place: GamePlace, value: object) -> dict[str, object]:
    """Return an object of JSON. Raises UsageError for another value."""
    if not isinstance(value, dict):
        raise place.fault(f"expected an object, got {quoted_json(value)}")
    return value


def _after_space(text: str, at: int) -> int:
    match = _BETWEEN.match(text, at)
    assert match is not None
    return match.end()
