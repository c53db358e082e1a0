"""A user's board class, checked against the laws in this process."""

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from types import ModuleType
from typing import Any

from marubatsu.engine.boards.board import Board
from marubatsu.engine.boards.kinds import NewBoard, all_boards
from marubatsu.engine.rules.board_text import draw, from_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.laboratory.board_conformance import (
    EXHAUSTIVE,
    Conformance,
    LawVerdict,
    conform,
)
from marubatsu.pipeline.support import importing
from marubatsu.pipeline.support.background import ended_after
from marubatsu.pipeline.support.errors import DataError, UsageError

COLUMNS = ("law", "holds", "positions", "what_must_be")
_PATIENCE = 20.0  # seconds to examine one law at one position


def find_board(spec: str) -> NewBoard:
    """Return one of our boards by name, or a class as file.py:Class or module:Class.

    Raises UsageError when there is none, DataError when its code cannot be imported.
    """
    ours = all_boards()
    if spec in ours:
        return ours[spec]
    place = importing.parse(spec, "a board class")
    if place is None:
        raise UsageError(
            f"{quote(spec)} names no board: expected file.py:Class, package.module:Class, or "
            f"one of {', '.join(ours)}"
        )
    try:
        with redirect_stdout(sys.stderr):
            module = importing.load(place.kind, place.where)
    except Exception as error:  # noqa: BLE001, a module may raise anything
        raise DataError(f"{spec} cannot be loaded: {type(error).__name__}: {error}") from None
    return _class_in(module, place)


def _class_in(module: ModuleType, place: importing.CodePlace) -> NewBoard:
    value: Any = getattr(module, place.name, None)
    if isinstance(value, type) and not issubclass(value, Board):
        raise UsageError(
            f"{place.name} is no board: expected a subclass of marubatsu.engine.boards.board.Board"
        )
    if not callable(value):
        classes = {n: v for n, v in vars(module).items() if isinstance(v, type) and v is not Board}
        boards = [name for name, value in classes.items() if issubclass(value, Board)]
        raise UsageError(
            f"{place.name} is not there: {place.where} has {', '.join(boards) or 'no board'}"
        )
    new: NewBoard = value
    _require_board(new, place.name)
    return new


def _require_board(new: NewBoard, name: str) -> None:
    """Raise UsageError unless the class makes boards of the game that all laws are checked on."""
    try:
        made: object = new(Game(EXHAUSTIVE))
        reason = f"it makes a {type(made).__name__}"
    except Exception as error:  # noqa: BLE001, a class may raise anything
        made, reason = None, f"{type(error).__name__}: {error}"
    if not isinstance(made, Board):
        raise UsageError(f"{name} makes no board of {EXHAUSTIVE}: {reason}")


def examine(new: NewBoard, progress: Callable[[float], None]) -> Conformance:
    """Check every law; what the board prints goes to standard error.

    Raises UsageError when the board does not play 3x3k3.
    """
    with redirect_stdout(sys.stderr):
        return conform(new, call=_in_time, progress=progress)


def _in_time(look: Callable[[], list[str]]) -> list[str]:
    """Examine one law at one position; raise TimeoutError after `_PATIENCE`."""
    with ended_after(_PATIENCE, lambda: TimeoutError(f"no end after {_PATIENCE:g} s")):
        return look()


def rows(conformance: Conformance) -> list[tuple[object, ...]]:
    """Return a row for each law."""
    return [
        (v.law, v.examined > 0 and not v.broken, v.examined, v.says) for v in conformance.verdicts
    ]


def tell(conformance: Conformance) -> str:
    """Show the first counterexample to every broken law, and the number of positions examined."""
    lines = [_counterexample(verdict) for verdict in conformance.verdicts if verdict.broken]
    examined = ", ".join(f"{count:,} of {game}" for game, count in conformance.positions.items())
    lines.append(f"looked at {examined} positions")
    lines += [f"does not play {game}: {reason}" for game, reason in conformance.refused.items()]
    return "\n".join(lines) + "\n"


def _counterexample(verdict: LawVerdict) -> str:
    game = Game(verdict.game)
    line = " ".join(map(str, verdict.moves)) or "nothing played"
    drawn = draw(game, from_text(game, verdict.board))
    return (
        f"{verdict.law}: {verdict.fault}\n"
        f"on {verdict.game}, {verdict.board} (cells played: {line})\n\n{drawn}\n"
    )
