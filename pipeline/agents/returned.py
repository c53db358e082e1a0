"""What a function returned or raised, as a message between processes and as an answer."""

import operator
import traceback
from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from marubatsu.engine.players.reply import Fault, Reply
from marubatsu.pipeline.frameworks.interfaces import AnswerError, NoAgentError

if TYPE_CHECKING:
    from marubatsu.engine.players.by_function import Choose

MOST_MOVES = 1000
_SHOWN = 200  # characters of what an AI returned or raised
_OURS = {Path(__file__).resolve().parents[2] / house for house in ("engine", "pipeline")}
EXPECTED = "expected a move, moves, moves with weights, or a chance for every cell"


def answered(choose: "Choose", board: str, legal: list[int]) -> dict[str, Any]:
    """Ask for the moves in a position; return the answer as a message.

    Raises whatever the function raises, but for an AnswerError.
    """
    try:
        return read_answer(choose(board, legal), len(board))
    except AnswerError as error:
        return {"fault": error.fault.kind, "detail": cut(error.fault.detail)}


def read_answer(answer: Any, cells: int) -> dict[str, Any]:
    """Turn what an AI returned into moves, with weights if it gave any, as a message.

    It is a move, several moves, pairs of move and weight, a mapping from move to weight, or a
    chance for every one of the ``cells`` of the board.
    """
    if _is_move(answer):
        return {"moves": [int(answer)], "weights": None}
    if isinstance(answer, str | bytes) or not isinstance(answer, Iterable):
        return {"wrong": _shown(answer)}
    found: list[Any] = list(answer.items()) if isinstance(answer, Mapping) else list(answer)
    if len(found) > MOST_MOVES:
        return {"wrong": f"{len(found):,} moves"}
    if all(map(_is_move, found)):
        return {"moves": [int(move) for move in found], "weights": None}
    if len(found) == cells and all(map(_is_number, found)):
        found = [(cell, chance) for cell, chance in enumerate(found) if float(chance) != 0]
    if all(map(_is_weighted, found)):
        return {"moves": [int(m) for m, _ in found], "weights": [float(w) for _, w in found]}
    return {"wrong": _shown(answer)}


def read_value(value: Any) -> dict[str, Any]:
    """Turn what an evaluation returned into a number, as a message."""
    if _is_number(value) and isfinite(float(value)):
        return {"value": int(value) if _is_move(value) else float(value)}
    return {"wrong": _shown(value)}


def _is_move(value: Any) -> bool:
    """Return whether a value is a whole number, also one of NumPy's, and no bool."""
    try:
        operator.index(value)
    except TypeError:
        return False
    return not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return hasattr(value, "__float__") and not isinstance(value, bool)


def _is_weighted(pair: Any) -> bool:
    """Return whether a value is a pair of move and weight."""
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        return False
    move, weight = pair
    return _is_move(move) and _is_number(weight)


def read_message(message: dict[str, Any], expected: str = EXPECTED) -> Reply | Fault:
    """Turn a result of `read_answer`, or a worker's message, into an answer or a fault."""
    if "memory" in message:
        return Fault("memory", "it wants more memory than it may have")
    if "fault" in message:
        return Fault(message["fault"], message["detail"])
    for key, kind in (("raised", "raises"), ("wrong", "wrong answer")):
        if key in message:
            told = f"; {expected}" if key == "wrong" else ""
            return Fault(kind, str(message[key]) + told)
    moves = tuple(int(move) for move in message["moves"])
    if not moves:
        return Fault("no move", "it returned no move")
    if message["weights"] is None:
        return Reply(moves)
    return Reply(moves, tuple(float(weight) for weight in message["weights"]))


def read_number(message: dict[str, Any]) -> float | Fault:
    """Turn a result of `read_value`, or a worker's message, into a number or a fault."""
    if "value" in message:
        return float(message["value"])
    found = read_message({"moves": (), **message}, "expected a number")
    return found if isinstance(found, Fault) else Fault("wrong answer", "expected a number")


def raised(error: BaseException) -> str:
    """Describe an exception by type, text and place; a NoAgentError only by its text."""
    if isinstance(error, NoAgentError):
        return str(error)
    try:
        text = str(error)
    except Exception:  # noqa: BLE001, even its text may fail
        text = ""
    told = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return cut(told) + _place(error)


def _place(error: BaseException) -> str:
    """Name the last line of code that an exception came through and that is not ours."""
    frames = [(Path(f.filename), f.lineno) for f in traceback.extract_tb(error.__traceback__)]
    theirs = [
        (path.name, line)
        for path, line in frames
        if path.is_file() and _OURS.isdisjoint(path.resolve().parents)
    ]
    return f" ({theirs[-1][0]}, line {theirs[-1][1]})" if theirs else ""


def _shown(value: Any) -> str:
    try:
        return cut(repr(value))
    except Exception:  # noqa: BLE001, so may what it returned
        return type(value).__name__


def cut(text: str) -> str:
    """Cut text that is too long to show."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
