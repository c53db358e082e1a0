"""Games as lists of moves, a game a line, with or without names before a colon."""

import re
from collections.abc import Iterator
from itertools import islice

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.review.csv_tables import SEPARATORS
from marubatsu.judge.review.log_file import GamePlace, LogFile
from marubatsu.judge.review.recorded_game import RecordedGame, recorded_game, split_results
from marubatsu.pipeline.support.cures import Cure

_BETWEEN_NAMES = (
    re.compile(" - "),
    re.compile(r"\s[-–—]\s"),  # noqa: RUF001
    re.compile(r"\s(?:vs?\.?|versus)\s", re.IGNORECASE),
)
"""Separators of the names of two players; the first that occurs once counts."""

_NUMBER_OF_GAME = re.compile(r"\s*(?:\(?#?[0-9]+[.)]|\[#?[0-9]+\]|[-–—*•])\s")  # noqa: RUF001
"""The number of a game in a list, or the mark of an item."""

_BETWEEN_CELLS = re.compile(r"[\s,;|/'\"]+")
_DIGITS = {"0", "1", "2", "-1"}
_MARKS = re.compile(r"[xob_.]{9,}")  # of the smallest board in public tables, or more


def read(log: LogFile) -> Iterator[RecordedGame]:
    """Read lines as in ``ann - bob: b2 a3 c1``; the last word may be a result.

    Empty lines and those that begin with ``#`` hold no game. Raises UsageError.
    """
    game = log.options.game
    for place, line in islice(_games(log), 2):  # The first may be the header of a table.
        if _is_board(line) or (game and _is_board_of_digits(game, line)):
            raise place.fault(
                f"{quote(line.strip())} looks like a board: expected the moves of a game; "
                f"{Cure('read boards')}"
            )
    for place, line in _games(log):
        names, colon, moves = line.replace("\uff1a", ":").rpartition(":")
        players = _players(place, names) if colon else (None, None)
        tokens, results = split_results(place, moves, players, log.options)
        if not colon and _is_row(tokens, line):
            raise place.fault(
                f"{quote(line.strip())} looks like a row of a table: expected a first line that "
                "names the columns, as in first,second,moves,result; the option columns names "
                "others, as in moves=COLUMN, or game_id=COLUMN,move=COLUMN for one row a move"
            )
        if not colon and (cure := _cure_of_words(tokens)):
            raise place.fault(cure)
        yield recorded_game(place, tokens, log.options, players=players, results=results)


def _games(log: LogFile) -> Iterator[tuple[GamePlace, str]]:
    for place, line in log.lines():
        if line.strip() and not line.startswith("#"):
            yield place, line


def _is_board(line: str) -> bool:
    """Return whether a line begins with the marks of a board, as in ``x,o,b,b,x,b,b,b,b``."""
    marks = _MARKS.match(_BETWEEN_CELLS.sub("", line.lower()))
    return marks is not None and "x" in marks[0]


def _is_board_of_digits(game: Game, line: str) -> bool:
    """Return whether a line has a digit from 0 to 2 for every cell, too often for moves."""
    cells = line.replace(",", " ").split()
    is_whole = len(cells) == game.cells > len(_DIGITS) and {*cells} <= _DIGITS
    return is_whole and not game.gravity


def _is_word(token: str) -> bool:
    """Return whether a token is a word, and no move of any game."""
    return token.isalpha() and len(token) > 2


def _cure_of_words(tokens: list[str]) -> str:
    """Say what a word before or behind moves may be: a name, or a result; nothing without one."""
    if tokens and _is_word(tokens[0]):
        return (
            f"{quote(tokens[0])} is no move: expected a colon between names and moves, as in "
            "`ann - bob: b2 a3 c1`"
        )
    if tokens and _is_word(tokens[-1]):
        return (
            f"{quote(tokens[-1])} is no move: if it is the result, the option results gives it a "
            f"meaning, as in {tokens[-1]}=first"
        )
    return ""


def _is_row(tokens: list[str], line: str) -> bool:
    """Return whether a line has separators, and a word that is no move in any game."""
    is_separated = any(separator in line for separator in SEPARATORS)
    return is_separated and any(map(_is_word, tokens)) and not line.startswith("[")


def _players(place: GamePlace, names: str) -> tuple[str, str]:
    """Return the names of two players. Raises UsageError."""
    for between in _BETWEEN_NAMES:
        parts = between.split(names)
        if len(parts) == 2 and ": " in names:
            before = names.rpartition(": ")[0]
            raise place.fault(
                f"{quote(before + ':')} stands before the names of the players: leave it out"
            )
        if len(parts) == 2 and (item := _NUMBER_OF_GAME.match(names)):
            raise place.fault(
                f"{quote(item[0].strip())} stands before the names of the players: leave it out"
            )
        if len(parts) == 2:
            return parts[0], parts[1]
    raise place.fault(
        "expected the names of two players, as in `ann - bob: b2 a3 c1` or `ann vs bob: b2 a3 c1`; "
        f"got {quote(names.strip())} before the colon"
    )
