"""Recorded games, as the readers of logs return them, and the limits of what they read."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import UsageError

MOST_BYTES = 64_000_000  # of a file
MOST_LINE = 4_000_000  # bytes of a line
MOST_MOVES = 1_000  # of a game; no board has more than 63 cells
MOST_NAME = 100  # characters
_MOST_PATH = 300  # characters of it in a message

SIDES = ("circle", "cross")
"""The names of players whose log has no names; circle begins."""

RESULTS = {
    "1-0": "circle", "0-1": "cross", "1/2-1/2": "draw", "*": None,
    "circle": "circle", "cross": "cross", "draw": "draw",
}  # fmt: skip
"""How logs write a result; the first number is that of the player who begins."""

Token = str | int | None
"""A move as a log has it: a name or a number, None where a player made none."""


class GamePlace(NamedTuple):
    """Where a game begins."""

    file: str
    line: int

    def __str__(self) -> str:
        """Write the place for a message."""
        return f"line {self.line} of {quote(self.file, _MOST_PATH)}"

    def fault(self, why: str) -> UsageError:
        """Return the error that something is wrong there."""
        return UsageError(f"{self}: {why}")


class RecordedGame(NamedTuple):
    """A game as it was recorded."""

    place: GamePlace
    game: str | None  # its name; None: the log does not tell
    players: tuple[str, str]  # who begins comes first
    moves: Sequence[Token]
    result: str | None  # circle, cross or draw; None: the log does not tell
    by_action: bool  # with gravity, numbers are columns instead of cells


def recorded(
    place: GamePlace,
    moves: Sequence[Token],
    *,
    players: Sequence[object] = SIDES,
    game: object = None,
    result: object = None,
    by_action: bool = False,
) -> RecordedGame:
    """Return a game whose parts a log tells. Raises UsageError for parts that make no sense."""
    if len(moves) > MOST_MOVES:
        raise place.fault(f"a game of {len(moves):,} moves: expected at most {MOST_MOVES:,}")
    if len(players) != 2:
        raise place.fault(f"a game of {len(players)} players: expected two, who begins first")
    if game is not None and not isinstance(game, str):
        raise place.fault(f"the game is {quoted_json(game)}: expected its name, as in tictactoe")
    if result is not None and (not isinstance(result, str) or result not in RESULTS):
        expected = ", ".join(RESULTS)
        raise place.fault(f"the result is {quoted_json(result)}: expected one of {expected}")
    first, second = (
        _name(place, player, side) for player, side in zip(players, SIDES, strict=True)
    )
    return RecordedGame(
        place, game, (first, second), moves, None if result is None else RESULTS[result], by_action
    )


def _name(place: GamePlace, player: object, side: str) -> str:
    """Return the name of a player; half a surrogate pair in it is escaped."""
    if player is None:
        return side
    if not isinstance(player, str):
        raise place.fault(f"a player is {quoted_json(player)}: expected a name")
    if len(player) > MOST_NAME:
        raise place.fault(
            f"the name {quote(player)} has {len(player):,} characters: expected at most {MOST_NAME}"
        )
    return encodable(player.strip()) or side


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
    return text.encode("utf-8", "backslashreplace").decode()


def tokens_of(text: str) -> list[str]:
    """Return the moves in a text; spaces or commas stand between them.

    >>> tokens_of(" b2, a3 c1")
    ['b2', 'a3', 'c1']
    """
    return [token for token in re.split(r"[\s,]+", text) if token]


@dataclass(frozen=True)
class LogFile:
    """The content of a file, not yet understood."""

    name: str
    data: bytes
    columns: Mapping[str, str] = field(default_factory=dict)
    """Of a table: the columns that hold moves, first, second, result and game, if named so."""

    def lines(self) -> Iterator[tuple[GamePlace, str]]:
        """Yield every line with its place. Raises UsageError where a line is no UTF-8."""
        for number, line in enumerate(BytesIO(self.data), start=1):
            place = GamePlace(self.name, number)
            try:
                yield place, line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise place.fault(f"byte {error.start} is no UTF-8") from None


def open_log(file: Path, columns: Mapping[str, str]) -> LogFile:
    """Read a file. Raises UsageError when it cannot be read, or is too large."""
    name = encodable(str(file))
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot read {quote(name, _MOST_PATH)}: {why}") from None
    if len(data) > MOST_BYTES:
        raise UsageError(
            f"{quote(name, _MOST_PATH)} holds more than {MOST_BYTES:,} bytes: expected less"
        )
    start = 0
    number = 1
    while len(data) - start > MOST_LINE:
        end = data.find(b"\n", start, start + MOST_LINE)
        if end < 0:
            raise GamePlace(name, number).fault(f"it has more than {MOST_LINE:,} bytes")
        start, number = end + 1, number + 1
    return LogFile(name, data, columns)
