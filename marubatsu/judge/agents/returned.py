"""The answer of a function to one question, and the same as a message between processes."""

from collections.abc import Callable
from dataclasses import replace
from math import isfinite
from typing import Any

from marubatsu.engine.ais.reply import Fault, Returned
from marubatsu.judge.agents.failures import INFRASTRUCTURE, failure
from marubatsu.judge.agents.plain import cut, of_json, plain, to_json
from marubatsu.judge.agents.signatures import CHOOSES, VALUES, require_signature
from marubatsu.judge.bridges.interfaces import AnswerError, NoAgentError

REFUSED = "refused"
"""The kind of a fault of something that is never asked, because it takes other arguments."""

_KINDS = {*AnswerError.KINDS, INFRASTRUCTURE, REFUSED, "raises", "memory"}
_LONGEST = 1000  # characters of a text
_UNREADABLE = (ValueError, TypeError, RecursionError)


class Asked:
    """A function that is asked; what it raises is a fault."""

    def __init__(
        self,
        function: Callable[..., Any],
        address: str,
        *,
        is_checked: bool,
        caught: type[BaseException] = Exception,
    ) -> None:
        """Name the address of the function, and what it may raise.

        Where ``is_checked``, something that takes other arguments is refused before it is asked.
        """
        self._function, self._address, self._caught = function, address, caught
        self._unchecked = {CHOOSES, VALUES} if is_checked else set()

    def moves(self, board: str, legal: list[int]) -> Returned | Fault:
        """Ask for the moves in a position."""
        return self._answer(CHOOSES, board, legal)

    def value(self, board: str) -> float | Fault:
        """Ask for the value of a board."""
        found = self._answer(VALUES, board)
        if isinstance(found, Fault):
            return found
        number = found.value
        if isinstance(number, int | float) and isfinite(number):
            return number
        return Fault("wrong answer", cut(repr(number)), "expected a number")

    def _answer(self, takes: tuple[str, ...], *arguments: Any) -> Returned | Fault:
        try:
            if takes in self._unchecked:
                require_signature(self._function, self._address, takes)
                self._unchecked.remove(takes)
            return Returned(plain(self._function(*arguments)))
        except AnswerError as error:
            return replace(error.fault, detail=cut(error.fault.detail))
        except NoAgentError as error:
            return Fault(REFUSED, str(error)[:_LONGEST])
        except self._caught as error:
            return failure(error)


def message_of(answer: Returned | Fault | float) -> dict[str, Any]:
    """Return an answer as a message."""
    if isinstance(answer, Returned):
        return {"returned": to_json(answer.value)}
    if isinstance(answer, Fault):
        return {"fault": [answer.kind, answer.detail, answer.cure]}
    return {"value": answer}


def answer_of(message: dict[str, Any]) -> Returned | Fault | float | None:
    """Return the answer that a message is; None for what `message_of` never returns."""
    match message:
        case {"returned": value}:
            try:
                return Returned(of_json(value))
            except _UNREADABLE:
                return None
        case {"value": int() | float() as value} if type(value) is not bool and _is_finite(value):
            return float(value)
        case {"fault": [str(kind), str(detail), str(cure)]} if kind in _KINDS:
            return Fault(kind, detail[:_LONGEST], cure[:_LONGEST])
    return None


def _is_finite(value: float) -> bool:
    try:
        return isfinite(value)
    except OverflowError:
        return False
