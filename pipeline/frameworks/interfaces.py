"""The interfaces of other frameworks in which foreign agents speak, and what their answers mean.

Each interface has a module in this room. For functions and objects it has ``chooser``, which turns
an agent into a function from a board and its legal moves to moves, as users of ours write it. For
programs it has ``Lines``, the lines that such a program is asked and answers with.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from marubatsu.engine.players.reply import Fault, Reply, Returned

if TYPE_CHECKING:  # The process of every foreign AI imports this module.
    from marubatsu.engine.players.by_function import Choose
    from marubatsu.engine.rules.game import Game


class Interface(NamedTuple):
    """An interface: the module that knows it, and whether programs speak it."""

    module: str
    of_programs: bool = False


INTERFACES = {
    "connectx": Interface("connectx_agents"),
    "aec": Interface("aec_policies"),
    "openspiel": Interface("openspiel_bots"),
    "textarena": Interface("textarena_agents"),
    "gtp": Interface("gtp_programs", of_programs=True),
}
"""Every interface, by the name that users choose it with."""


_LONGEST = 80  # characters of an answer in a message


class NoAgentError(TypeError):
    """A name of nothing, or something that is no agent of an interface."""


class AnswerError(Exception):
    """An answer that names no legal move: a kind of fault, and what was wrong."""

    KINDS = ("illegal move", "no move", "wrong answer")

    def __init__(self, kind: str, detail: str) -> None:
        """Name one of the kinds."""
        super().__init__(detail)
        self.fault = Fault(kind, detail)


@dataclass(frozen=True)
class Heard:
    """What a line of a process says in answer to a question."""

    answer: Returned | Reply | float | Fault | None  # None: more lines belong to the answer
    beside: tuple[Fault, ...] = ()  # faults besides the answer


class Lines(Protocol):
    """The lines that a process is asked and answers with."""

    def question(self, board: str, legal: list[int] | None) -> bytes:
        """Write the next question: for the moves of a board, or for its value."""

    @property
    def expected(self) -> str:
        """What an answer to the last question looks like."""

    def heard(self, line: bytes) -> Heard | None:
        """Read a line; None for one that belongs to no answer to the last question."""


def chooser(interface: str, agent: Any, game: "Game") -> "Choose":
    """Return an agent as a function of a board and its legal moves.

    Raises NoAgentError when it is none of this interface, and what it raises when it is made.
    The function raises AnswerError for an answer that names no legal move.
    """
    adapted: Choose = _module(interface).chooser(agent, game)
    return adapted


def lines(interface: str, game: "Game") -> Lines:
    """Return the lines of a program."""
    spoken: Lines = _module(interface).Lines(game)
    return spoken


def _module(interface: str) -> Any:
    return import_module(f"marubatsu.pipeline.frameworks.{INTERFACES[interface].module}")


def require_function(agent: Any, expected: str) -> "Choose":
    """Return a function. Raises NoAgentError for a class, and for what cannot be called."""
    if isinstance(agent, type):
        name = agent.__name__
        raise NoAgentError(
            f"{name} is a class: write `agent = {name}()` below it, and name agent; expected "
            f"{expected}"
        )
    if not callable(agent):
        raise NoAgentError(f"{type(agent).__name__} is no function: expected {expected}")
    function: Choose = agent
    return function


def accepts(function: "Choose", count: int) -> bool:
    """Return whether a function can be called with a number of arguments."""
    try:
        signature(function).bind(*range(count))
    except TypeError:
        return False
    return True


def cell_of_answer(
    cell_of: Mapping[int, int], answer: Any, action: int | None, takes: str = ""
) -> int:
    """Return the cell of the action that a framework reads in an answer.

    The mapping has the legal actions. The action is None for an answer that the framework refuses;
    ``takes`` says what it takes. Raises AnswerError for anything but a legal action.
    """
    actions = ", ".join(map(str, cell_of))
    if action is None:
        reason = f"{_quoted(answer)}; expected an action, one of {actions}"
        raise AnswerError("wrong answer", f"{reason} ({takes})" if takes else reason)
    if action not in cell_of:
        raise AnswerError("illegal move", f"action {_quoted(action)}; legal: {actions}")
    return cell_of[action]


def _quoted(value: Any) -> str:
    """Write a value of somebody's code, whose text may be long or fail."""
    try:
        return repr(value)[:_LONGEST]
    except Exception:  # noqa: BLE001, any code may run here
        return type(value).__name__
