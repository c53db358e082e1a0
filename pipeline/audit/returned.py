"""The return value or exception of an AI, as an answer or a fault."""

import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

_MOST_MOVES = 1000
_SHOWN = 200  # characters of what an AI returned or raised


class NoFunctionError(LookupError):
    """The name of a function that does not exist."""


@dataclass(frozen=True)
class Reply:
    """Moves as the AI returned them, legal or not, with weights if it gave any."""

    moves: tuple[int, ...]
    weights: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Fault:
    """A fault of an AI, instead of an answer or besides it."""

    kind: str
    detail: str = ""


def read_answer(answer: Any) -> dict[str, Any]:
    """Turn the return value of an AI into moves, with weights if it gave any.

    It is a move, several moves, pairs of move and weight, or a mapping from move to weight.
    """
    if _is_move(answer):
        return {"moves": [int(answer)], "weights": None}
    if isinstance(answer, str | bytes) or not isinstance(answer, Iterable):
        return {"wrong": _shown(answer)}
    pairs: list[Any] = list(answer.items()) if isinstance(answer, Mapping) else list(answer)
    if len(pairs) > _MOST_MOVES:
        return {"wrong": f"{len(pairs):,} moves"}
    if all(map(_is_move, pairs)):
        return {"moves": [int(move) for move in pairs], "weights": None}
    if all(map(_is_weighted, pairs)):
        return {"moves": [int(m) for m, _ in pairs], "weights": [float(w) for _, w in pairs]}
    return {"wrong": _shown(answer)}


def _is_move(value: Any) -> bool:
    """Return whether a value is a whole number, also one of NumPy's, and no bool."""
    try:
        operator.index(value)
    except TypeError:
        return False
    return not isinstance(value, bool)


def _is_weighted(pair: Any) -> bool:
    """Return whether a value is a pair of move and weight."""
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        return False
    move, weight = pair
    return _is_move(move) and hasattr(weight, "__float__") and not isinstance(weight, bool)


def read_message(message: dict[str, Any]) -> Reply | Fault:
    """Turn a result of `read_answer`, or a worker's message, into an answer or a fault."""
    if "memory" in message:
        return Fault("memory", "it wants more memory than it may have")
    for key, kind in (("raised", "raises"), ("wrong", "wrong answer")):
        if key in message:
            expected = "; expected a move, moves, or moves with weights" if key == "wrong" else ""
            return Fault(kind, str(message[key]) + expected)
    moves = tuple(int(move) for move in message["moves"])
    if not moves:
        return Fault("no move", "it returned no move")
    if message["weights"] is None:
        return Reply(moves)
    weights = tuple(float(weight) for weight in message["weights"])
    if not all(isfinite(w) and w >= 0 for w in weights) or not 0 < sum(weights) < float("inf"):
        shown = ", ".join(f"{weight:g}" for weight in weights)
        return Fault("bad weights", f"expected weights of 0 or more, some of them more: {shown}")
    return Reply(moves, weights)


def raised(error: BaseException) -> str:
    """Describe an exception by type and text; for NoFunctionError only by its text."""
    if isinstance(error, NoFunctionError):
        return str(error)
    try:
        text = str(error)
    except Exception:  # noqa: BLE001, even its text may fail
        text = ""
    return cut(f"{type(error).__name__}: {text}" if text else type(error).__name__)


def _shown(value: Any) -> str:
    try:
        return cut(repr(value))
    except Exception:  # noqa: BLE001, so may what it returned
        return type(value).__name__


def cut(text: str) -> str:
    """Cut text that is too long to show."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
