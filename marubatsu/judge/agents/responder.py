"""What answers for a foreign AI, and a function that does."""

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any, Self

from marubatsu.engine.ais.reply import Fault, Returned
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.judge.agents.faults import cut, failure
from marubatsu.judge.agents.interfaces import (
    CHOICE_ARGUMENTS,
    EVALUATIONS,
    VALUE_ARGUMENTS,
    AnswerError,
    NoAgentError,
    chooser,
    require_signature,
)
from marubatsu.judge.agents.plain_values import LONGEST, REFUSED, Heard, Unread, plain

if TYPE_CHECKING:  # The process of a foreign AI reads no answers.
    from marubatsu.judge.agents.reply_reader import ReplyReader


class Responder(ABC):
    """What answers for a foreign AI: a process, a function of this program, or a table."""

    not_confined: str | None = None  # what no box keeps it from, as the end of a sentence
    could_read_answers: str | None = None  # why it could read the judge's answers, as a clause
    reader: "ReplyReader | None" = None  # where it reads answers itself

    @property
    def positions(self) -> Collection[Position] | None:
        """The only positions that it answers; None: any."""
        return None

    @property
    def printed(self) -> str:
        """The beginning of what it printed."""
        return ""

    def __enter__(self) -> Self:
        """Start it. Raises DataError and UsageError where it does not load or cannot be asked."""
        return self

    def __exit__(self, *exception: object) -> None:  # noqa: B027, most have nothing to end
        """End it."""

    @abstractmethod
    def ask(self, board: str, legal: list[int]) -> Heard:
        """Ask for the moves in a position."""

    def value(self, board: str) -> float | Fault:
        """Ask for the value of a board."""
        return Fault("wrong answer", "it has no values of boards")

    def stop(self) -> None:  # noqa: B027, most let no other thread wait
        """End soon what another thread waits for."""


class CalledFunction(Responder):
    """An agent that is called as a function; what it raises is a fault."""

    def __init__(
        self,
        agent: Any,
        address: str,
        game: Game,
        interface: str | None = None,
        caught: type[BaseException] | tuple[type[BaseException], ...] = (Exception, SystemExit),
    ) -> None:
        """Name the address of the agent, its interface, and what it may raise.

        Without an interface, what takes other arguments is refused when it is first asked. With
        one, this raises NoAgentError, and what the agent raises when it is made.
        """
        if interface in EVALUATIONS:
            require_signature(agent, address, VALUE_ARGUMENTS)
        self._function = chooser(interface, agent, game) if interface else agent
        self._address, self._caught, self._interface = address, caught, interface
        self._unchecked = set() if interface else {CHOICE_ARGUMENTS, VALUE_ARGUMENTS}

    def ask(self, board: str, legal: list[int]) -> tuple[Returned | Fault, list[Fault]]:
        """Ask for the moves in a position; there are no faults besides the answer."""
        return self._answer(CHOICE_ARGUMENTS, board, list(legal)), []

    def value(self, board: str) -> float | Fault:
        """Ask for the value of a board."""
        answer = self._answer(VALUE_ARGUMENTS, board)
        if isinstance(answer, Fault):
            return answer
        number = answer.value
        if isinstance(number, int | float) and isfinite(number):
            return number
        is_great = isinstance(number, Unread) and number.type == "int"
        expected = "expected a number" + " of at most 15 digits, or a float" * is_great
        return Fault("wrong answer", cut(repr(number)), expected)

    def _answer(self, takes: tuple[str, ...], *arguments: Any) -> Returned | Fault:
        try:
            if takes in self._unchecked:
                require_signature(self._function, self._address, takes)
                self._unchecked.remove(takes)
            return Returned(plain(self._function(*arguments)))
        except AnswerError as error:
            return replace(error.fault, detail=cut(error.fault.detail))
        except NoAgentError as error:
            return Fault(REFUSED, str(error)[:LONGEST])
        except self._caught as error:
            return failure(error, self._interface)
