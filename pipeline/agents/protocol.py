"""The lines that foreign processes are asked and answer with: written and read here alone.

Every question has a number, and its answer begins with it, so no line is taken for the answer to
another question. A program is asked ``NUMBER BOARD MOVES``, as in ``7 o.x...... 1,3,4,5,6,7,8``,
and answers ``NUMBER MOVES``, the moves separated by spaces or commas, each with ``:weight`` or
none. Our own worker, which calls a function, is asked and answers in JSON.
"""

import json
import re
import secrets
from math import isfinite
from typing import Any

from marubatsu.engine.players.reply import Fault, Reply
from marubatsu.pipeline.agents.returned import MOST_MOVES, cut, read_message, read_number
from marubatsu.pipeline.frameworks.interfaces import AnswerError, Heard

PROTOCOL = 2
"""The version of these lines; programs get it as MARUBATSU_PROTOCOL."""

_MOVE = re.compile(r"(?P<move>[0-9]{1,9})(?::(?P<weight>[0-9]{0,9}\.?[0-9]{1,9}))?", re.ASCII)
_GREATEST = 10**9
_LONGEST = 1000  # characters of a text; our worker cuts it
_UNREADABLE = (ValueError, RecursionError)  # what json raises for what is no JSON
_TEXTS = ("raised", "wrong", "detail", "writes", "starts", "failed")


class ProgramLines:
    """The lines of somebody's program."""

    def __init__(self) -> None:
        """Start counting the questions."""
        self._number = 0

    def question(self, board: str, legal: list[int] | None) -> bytes:
        """Write the next question."""
        assert legal is not None
        self._number += 1
        return f"{self._number} {board} {','.join(map(str, legal))}\n".encode()

    @property
    def expected(self) -> str:
        """What an answer to the last question looks like."""
        return f"a line as in '{self._number} 4'"

    def heard(self, line: bytes) -> Heard | None:
        """Read a line; None for one that is no answer to the last question."""
        text = line.decode(errors="replace").strip()
        number, _, answer = text.partition(" ")
        if number != str(self._number):
            return None
        return Heard(_moves(answer))


class WorkerLines:
    """The lines of our worker, in which somebody's code could write too."""

    def __init__(self) -> None:
        """Start without a question."""
        self._number, self._wanted = 0, ""

    def question(self, board: str, legal: list[int] | None) -> bytes:
        """Write the next question: for the moves of a board, or for its value."""
        self._number = secrets.randbits(63)  # Nobody can answer it before it is asked.
        self._wanted = "value" if legal is None else "moves"
        asked = {"question": self._number, "board": board}
        return json.dumps(asked if legal is None else {**asked, "legal": legal}).encode() + b"\n"

    expected = "nothing but the answers of its functions"

    def heard(self, line: bytes) -> Heard | None:
        """Read a line; None for one that is no answer to the last question."""
        message = _checked(line)
        if message is None or message.get("question") != self._number:
            return None
        if not message.keys() & {self._wanted, "memory", "raised", "wrong", "fault"}:
            return None
        beside = [Fault("writes", message["writes"])] if "writes" in message else []
        if "starts" in message:
            beside.append(Fault("starts processes", message["starts"]))
        answer = read_number(message) if self._wanted == "value" else read_message(message)
        return Heard(answer, tuple(beside))


def started(line: bytes) -> dict[str, Any] | None:
    """Read the first line of our worker: it is ready, or has failed; None for any other line."""
    message = _checked(line)
    return message if message and ("ready" in message or "failed" in message) else None


def _checked(line: bytes) -> dict[str, Any] | None:
    """Read a message; None for what our worker never writes."""
    try:
        message = json.loads(line)
    except _UNREADABLE:
        return None
    if not isinstance(message, dict):
        return None
    moves, weights = message.get("moves", []), message.setdefault("weights", None)
    is_ours = (
        all(_is_short(message[key]) for key in _TEXTS if key in message)
        and isinstance(moves, list)
        and len(moves) <= MOST_MOVES
        and all(type(move) is int and abs(move) < _GREATEST for move in moves)
        and (weights is None or _are_weights(weights, len(moves)))
        and ("value" not in message or _is_number(message["value"]))
        and ("fault" not in message or _is_fault(message))
    )
    return message if is_ours else None


def _is_short(text: Any) -> bool:
    return isinstance(text, str) and len(text) <= _LONGEST


def _is_fault(message: dict[str, Any]) -> bool:
    return message["fault"] in AnswerError.KINDS and "detail" in message


def _are_weights(weights: Any, count: int) -> bool:
    """Return whether there are as many floats as moves; a NaN is one, and a fault of the AI."""
    is_list = isinstance(weights, list) and len(weights) == count
    return is_list and all(type(weight) is float for weight in weights)


def _is_number(value: Any) -> bool:
    try:
        return type(value) in (int, float) and isfinite(value)
    except OverflowError:
        return False


def _moves(text: str) -> Reply | Fault:
    """Read moves, separated by spaces or commas, each with ``:weight`` if it has one."""
    parts = [_MOVE.fullmatch(part) for part in text.replace(",", " ").split()]
    if not parts:
        return Fault("no move", "it answered without a move")
    if None in parts or len({part["weight"] is None for part in parts if part}) > 1:
        return Fault("wrong answer", f"{cut(text)!r}; expected moves, or moves with :weight")
    moves = tuple(int(part["move"]) for part in parts if part)
    weights = tuple(float(part["weight"]) for part in parts if part and part["weight"])
    return Reply(moves, weights or None)
