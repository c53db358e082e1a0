"""The lines that foreign processes are asked and answer with: written and read here alone.

Every question has a number, and its answer begins with it, so no line is taken for the answer to
another question. A program is asked ``NUMBER BOARD MOVES``, as in ``7 o.x...... 1,3,4,5,6,7,8``,
and answers ``NUMBER MOVES``, the moves separated by spaces or commas, each with ``:value`` or
none. Our own worker, which calls a function, is asked and answers in JSON.
"""

import json
import re
import secrets
from typing import Any

from marubatsu.engine.ais.reply import Fault, Returned
from marubatsu.judge.agents.plain import MOST_VALUES, Unread, cut
from marubatsu.judge.agents.returned import answer_of
from marubatsu.judge.bridges.interfaces import Heard

PROTOCOL = 2
"""The version of these lines; programs get it as MARUBATSU_PROTOCOL."""

_WHOLE = r"[+-]?[0-9]{1,9}"
_NUMBER = r"[+-]?(?:[0-9]{1,19}\.?[0-9]{0,19}|\.[0-9]{1,19}|inf|nan)(?:e[+-]?[0-9]{1,3})?"
_VALUED = re.compile(f"(?P<move>{_WHOLE}):(?P<value>{_NUMBER})", re.ASCII | re.IGNORECASE)
_ALONE = re.compile(f"(?P<whole>{_WHOLE})|{_NUMBER}", re.ASCII | re.IGNORECASE)
_LONGEST = 1000  # characters of a text; our worker cuts it
_UNREADABLE = (ValueError, RecursionError)  # raised by json for invalid JSON
_TEXTS = ("writes", "starts", "failed")


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
        return Heard(Returned(_answer(answer)))


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
        answer = answer_of(message)
        if answer is None or (isinstance(answer, float) != (self._wanted == "value")
                              and not isinstance(answer, Fault)):  # fmt: skip
            return None
        beside = [Fault("writes", message["writes"])] if "writes" in message else []
        if "starts" in message:
            beside.append(Fault("starts processes", message["starts"]))
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
    if not isinstance(message, dict) or not all(
        _is_short(message[key]) for key in _TEXTS if key in message
    ):
        return None
    return message


def _is_short(text: Any) -> bool:
    return isinstance(text, str) and len(text) <= _LONGEST


def _answer(text: str) -> Any:
    """Read numbers, or moves with values, separated by spaces or commas."""
    parts = text.replace(",", " ").split()
    valued = [_VALUED.fullmatch(part) for part in parts]
    alone = [_ALONE.fullmatch(part) for part in parts]
    if len(parts) <= MOST_VALUES and all(valued):
        return [(int(each["move"]), float(each["value"])) for each in valued if each]
    if len(parts) <= MOST_VALUES and all(alone):
        return [int(each[0]) if each["whole"] else float(each[0]) for each in alone if each]
    return Unread(repr(cut(text)), "line")
