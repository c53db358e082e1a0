"""Interfaces: how a foreign agent is asked, what it takes, and how its answers are read.

`INTERFACES` is the one list of them. Each has a module in ``judge/bridges``. For functions and
objects the module has ``chooser``, which turns an agent into a function from a board and its legal
moves to moves. For programs it has ``Dialogue``, the questions and answers of such a program.
`require_signature` refuses functions that take other arguments, and says what to write.
"""

import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from marubatsu.engine.ais.reply import TOLERANCE, Fault, FaultKind, Reply, Returned, are_chances
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import one_of

if TYPE_CHECKING:  # The process of every foreign AI imports this module, and little else.
    from marubatsu.engine.ais.by_function import Choose


class Interface(NamedTuple):
    """An interface: its module, an example, and how its agents look when asked without it."""

    module: str  # in judge/bridges
    example: str  # in examples/
    of_programs: bool = False
    takes: str = ""  # what its agents get, in words for errors
    names: tuple[str, ...] = ()  # names of its module that agents import from marubatsu


INTERFACES = {
    "connectx": Interface("kaggle", "connectx_agent.py:agent", takes="an observation"),
    "aec": Interface("pettingzoo", "aec_policy.py:policy", takes="an observation"),
    "openspiel": Interface("openspiel", "openspiel_bot.py:bot", takes="a state"),
    "textarena": Interface("textarena", "textarena_agent.py:agent", takes="a text"),
    "series": Interface(
        "series", "series_ai.py:ai", takes="the game of the tutorial series",
        names=("Markpat", "Marubatsu"),
    ),
    "gtp": Interface("gtp", "gtp_filler.py", of_programs=True),
}  # fmt: skip
"""Every interface, by the name that users choose it with."""

EVALUATION = "evaluation"  # of functions that value boards; an address names it
EVALUATION_X_FIRST = f"{EVALUATION} of exchanged marks"  # where cross begins on the boards
EVALUATIONS = {EVALUATION: "ox", EVALUATION_X_FIRST: "xo"}  # marks in the order of moves
_LONGEST = 80  # characters of an answer in a message


def option_of(interface: str) -> str:
    """Write the option that chooses an interface, as errors name it."""
    return f"the option interface={interface!r}"


def of_other_frameworks() -> str:
    """Say how agents of other frameworks are asked, as a clause of errors."""
    ways = (f"{option_of(name)} ({each.takes})" for name, each in INTERFACES.items() if each.takes)
    return f"agents of other frameworks are asked by {one_of(ways)}"


OF_TWO = "of two AIs with different interfaces, audit one with the option save, and use that name"
"""What to do where only one of two AIs speaks an interface."""


class NoAgentError(TypeError):
    """A name of nothing, or something that is no agent of an interface."""


class AnswerError(Exception):
    """An answer that names no legal move: a kind of fault, what was wrong, and what to do."""

    KINDS: tuple[FaultKind, ...] = ("illegal move", "no move", "wrong answer")

    def __init__(self, kind: FaultKind, detail: str, cure: str = "") -> None:
        super().__init__(detail)
        self.fault = Fault(kind, detail, cure)


@dataclass(frozen=True)
class ReadLine:
    """What a line of a process means: the answer to a question, or a part of it."""

    answer: Returned | Reply | float | Fault | None  # None: more lines belong to the answer
    faults: tuple[Fault, ...] = ()  # faults besides the answer


class Dialogue(Protocol):
    """The lines that a process is asked and answers with."""

    def question(self, board: str, legal: list[int] | None) -> bytes:
        """Write the next question: for the moves of a board, or for its value."""

    @property
    def expected(self) -> str:
        """What an answer to the last question looks like."""

    def heard(self, line: bytes) -> ReadLine | None:
        """Read a line; None for one that belongs to no answer to the last question."""


def chooser(interface: str, agent: Any, game: Game) -> "Choose":
    """Return an agent as a function of a board and its legal moves.

    Raises NoAgentError when it is none of this interface, and what it raises when it is made.
    The function raises AnswerError for an answer that names no legal move.
    """
    if interface in EVALUATIONS:
        return _evaluation_chooser(agent, EVALUATIONS[interface])
    names: list[str] = []
    with suppress(TypeError, ValueError):  # Objects, and some functions of C, have no signature.
        names = [*inspect.signature(agent).parameters]
    if any(map(_MOVES.fullmatch, names[1:2])):
        raise NoAgentError(
            f"it takes ({', '.join(names)}), as functions do without {option_of(interface)}, which "
            f"holds for all functions and objects: leave that out, or write such an agent; {OF_TWO}"
        )
    return cast("Choose", _module(interface).chooser(agent, game))


def dialogue_of(interface: str, game: Game) -> Dialogue:
    """Return the lines of a program."""
    return cast("Dialogue", _module(interface).Dialogue(game))


def lend_names(interface: str) -> None:
    """Add the names that agents of an interface import from their own module ``marubatsu``."""
    if interface in INTERFACES:
        for name in INTERFACES[interface].names:
            setattr(sys.modules["marubatsu"], name, getattr(_module(interface), name))


def _module(interface: str) -> Any:
    return import_module(f"marubatsu.judge.bridges.{INTERFACES[interface].module}")


def require_function(agent: Any, expected: str) -> "Choose":
    """Return a function. Raises NoAgentError for a class, and for what cannot be called."""
    if isinstance(agent, type):
        raise NoAgentError(
            f"{agent.__name__} is a class: write `agent = {agent.__name__}(...)` below it, and "
            f"name agent, or a method of it; expected {expected}"
        )
    if not callable(agent):
        raise NoAgentError(f"{type(agent).__name__} is no function: expected {expected}")
    if _is_async(agent):
        raise NoAgentError("it is an async function: write def, not async def")
    return cast("Choose", agent)


def _is_async(function: Any) -> bool:
    called = function if inspect.isroutine(function) else type(function).__call__
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)


def is_bool(value: Any) -> bool:
    """Return whether a value is a bool, also one of NumPy's, or an array of them."""
    return isinstance(value, bool) or "bool" in str(getattr(value, "dtype", ""))


def accepts(function: "Choose", count: int) -> bool:
    """Return whether a function can be called with a number of arguments."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:
        pass  # Some functions of C have no signature.
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
        reason = f"{repr_of(answer)[:_LONGEST]}; expected an action, one of {actions}"
        raise AnswerError("wrong answer", reason, takes)
    if action not in cell_of:
        place = f" in {repr_of(answer)[:_LONGEST]}" if isinstance(answer, str) else ""
        detail = f"action {repr_of(action)[:_LONGEST]}{place}; legal: {actions}"
        raise AnswerError("illegal move", detail)
    return cell_of[action]


def chances_of(
    cell_of: Mapping[int, int], pairs: Sequence[tuple[int, float]]
) -> list[tuple[int, float]]:
    """Return the legal cells with their chances, without those that have none.

    The mapping has the legal actions. Raises AnswerError for numbers that are no chances, and for
    an illegal action with a chance.
    """
    if not pairs:
        raise AnswerError("no move", "its policy has no action")
    text = ", ".join(f"{action}: {chance:g}" for action, chance in pairs)
    if not are_chances([chance for _, chance in pairs]):
        raise AnswerError(
            "wrong answer",
            f"{text}; expected chances of 0 or more that add up to 1, within {TOLERANCE:g}",
            "apply softmax over the legal actions, or return the argmax",
        )
    played = [(action, chance) for action, chance in pairs if chance]
    illegal = [f"{action}: {chance:g}" for action, chance in played if action not in cell_of]
    if illegal:
        raise AnswerError(
            "illegal move",
            f"chances of illegal actions ({', '.join(illegal)}); legal: "
            f"{', '.join(map(str, cell_of))}",
            "apply the mask before softmax",
        )
    return [(cell_of[action], chance) for action, chance in played]


def repr_of(value: Any) -> str:
    """Write a value of somebody's code on one line; its text may be long or fail."""
    try:
        return re.sub(r"\s*\n\s*", " ", repr(value))
    except Exception:  # noqa: BLE001, any code may run here
        return type(value).__name__


def _evaluation_chooser(agent: Any, marks: str) -> "Choose":
    """Return an evaluation as a function of ours; the first of both marks begins, or has fewer.

    Each legal move is played, and the boards after them are valued, also won and drawn ones. The
    moves to the boards with the greatest value are the candidates. Values are compared as they are
    returned: two are equal only when Python says so.
    """
    from marubatsu.engine.ais.ai import best

    function = require_function(agent, "f(board) that returns a number")

    def choose(board: str, legal: list[int]) -> list[int]:
        mark = min(marks, key=board.count)
        afterstates = [board[:cell] + mark + board[cell + 1 :] for cell in legal]
        values = [_number(function(after), after) for after in afterstates]
        return best(legal, values)

    return choose


def _number(value: Any, board: str) -> Any:
    """Return the value of a board. Raises AnswerError for what is no number, such as NaN."""
    try:
        is_number = hasattr(value, "__float__") and float(value) == float(value)
    except OverflowError:  # It is too large for a float, and a number all the same.
        is_number = True
    except (TypeError, ValueError):
        is_number = False
    if not is_number or is_bool(value):
        raise AnswerError("wrong answer", f"{repr_of(value)} for {board}", "expected a number")
    return value


CHOICE_ARGUMENTS = ("board", "legal_moves")
VALUE_ARGUMENTS = ("board",)
_MOVES = re.compile(
    "(?:_*(?:legal|valid|avail|available|possible|allowed|playable|feasible|candidates?|empty|empties"
    "|free|open|remaining|vacant|moves|mvs|actions|acts|plays|cells|squares|spots|places|positions"
    "|slots|columns|cols|options|choices|indices|ids|list|of"
    "|(?:move|action|cell|column|col)(?=_?(?:list|ids|indices|options|choices))))+",
    re.IGNORECASE,
)
"""Names of a second parameter that mean the legal moves: with others an AI is judged by a guess."""

_NO_LISTS = (bool, float, int, str, "bool", "float", "int", "str")  # annotations


def require_signature(function: Callable[..., Any], address: str, takes: tuple[str, ...]) -> None:
    """Raise NoAgentError for what cannot be called with a board, and its legal moves.

    ``address`` is where the function is found, for the sentence that says what to write.
    """
    name = address.rpartition(":")[2]
    expected = f"{name}({', '.join(takes)})"
    require_function(function, expected)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # Some functions of C have none.
    parameters = [*signature.parameters.values()]
    if not accepts(function, len(takes)):
        why = f": expected {expected}"
        if parameters and parameters[0].name == "self":
            why += "; of a class, write `agent = CLASS(...)` below it, and name agent.METHOD"
    elif takes == CHOICE_ARGUMENTS and len(parameters) > 1 and not _may_be_moves(parameters[1]):
        why = (
            f", and {parameters[1].name} would be the list of legal moves: expected {expected}; if "
            "it is that list, call it legal_moves"
        )
    else:
        return
    if takes == CHOICE_ARGUMENTS:
        why += (
            f"; {of_other_frameworks()}; a function that values boards is named "
            f"evaluation:{address}"
        )
    raise NoAgentError(f"{name} takes {signature}{why}")


def _may_be_moves(second: inspect.Parameter) -> bool:
    if second.kind not in (second.POSITIONAL_ONLY, second.POSITIONAL_OR_KEYWORD):
        return True
    is_switch = isinstance(second.default, int | float | str) and second.default != ""
    is_switch |= second.annotation in _NO_LISTS
    says_nothing = len(second.name) == 1 or second.name.startswith("_")
    return not is_switch and (says_nothing or _MOVES.fullmatch(second.name) is not None)
