"""AIs at addresses: what each address names."""

import pickle
import shlex
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType, SimpleNamespace
from typing import Any, TypeAlias, TypeGuard

from marubatsu.engine.ais.ai import AI, AIError, unknown
from marubatsu.engine.ais.by_function import Choose, EvaluationAI
from marubatsu.engine.rules.board_text import from_text
from marubatsu.engine.rules.input_error import is_one_of, nearest, one_of, quote
from marubatsu.engine.search.roster import all_ais, find
from marubatsu.judge.agents.interfaces import EVALUATION, EVALUATIONS, INTERFACES, OF_TWO
from marubatsu.pipeline.support import importing
from marubatsu.pipeline.support.errors import OptionError, UsageError
from marubatsu.pipeline.tables.data_set import DataSet, Saved
from marubatsu.pipeline.tables.manifest import ai_of
from marubatsu.pipeline.tables.schemas import AIS


class _NamedAI:
    """An AI with the name that the user gave, and the interface in whose terms it is asked."""

    name: str
    interface: str | None = None  # None: a board and its legal moves

    @property
    def address(self) -> str:
        """What tells it from others, where its answers are kept."""
        return self.name

    @property
    def code(self) -> str:
        """The hash of the file with its code; "" where no file is named."""
        return ""

    @property
    def is_evaluation(self) -> bool:
        """Whether it is a function that values boards."""
        return self.interface in EVALUATIONS

    @property
    def is_program(self) -> bool:
        """Whether a command starts it."""
        return False


@dataclass(frozen=True)
class BuiltInAI(_NamedAI):
    """An AI of this project."""

    name: str
    ai: AI


@dataclass(frozen=True, eq=False)  # An agent need be neither hashable nor comparable.
class FunctionAI(_NamedAI):
    """A function of the program that calls the audit; it runs in this process without limits."""

    name: str
    agent: Any
    interface: str | None = None
    description = "a function of the program that asks"

    @cached_property
    def address(self) -> str:  # Asking may change the state.
        """Its name, its module, and a hash of its state: what an object or a function holds.

        Raises AIError where the state cannot be written.
        """
        state = sha256()
        try:
            _StateWriter(SimpleNamespace(write=state.update)).dump(self.agent)
        except Exception as error:
            raise AIError(
                f"{self.name} cannot be distinguished from others of this name, whose answers may "
                f"be kept ({error}): expected a function at the top of a file, which may call it"
            ) from error
        where = getattr(self.agent, "__module__", "")
        return f"{self.name} in the state {state.hexdigest()[:8]} of {where}"


class _StateWriter(pickle.Pickler):
    """Writes what an agent holds; a function by its name, code, defaults and what it encloses."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, CodeType):
            line = value.co_firstlineno if "<" in value.co_qualname else 0  # It has no name.
            return str, (), [line, value.co_code, value.co_names, value.co_consts]
        if not isinstance(value, FunctionType):
            return NotImplemented
        state = [value.__code__, value.__defaults__, value.__kwdefaults__]
        state += [cell.cell_contents for cell in value.__closure__ or ()]
        return str, (value.__module__ + value.__qualname__,), state


@dataclass(frozen=True)
class SavedAI(_NamedAI):
    """A foreign AI that an audit has saved, and the function that answers what it answered."""

    name: str
    rule: str
    choose: Choose
    could_read_answers: str | None  # why, when it gave them
    description = "its answers, which an audit has saved"


@dataclass(frozen=True)
class ProcessAI(_NamedAI):
    """A foreign AI, and the arguments that tell its process what to run."""

    name: str
    kind: str  # file, module, command
    arguments: tuple[str, ...]
    interface: str | None = None

    @property
    def code(self) -> str:
        """The hash of its file; "" for a module and a program, which may have several."""
        if self.kind != "file":
            return ""
        return sha256(Path(self.arguments[0]).read_bytes()).hexdigest()[:8]

    @property
    def description(self) -> str:
        """What it is, after "a foreign AI:"."""
        return self.kind

    @property
    def is_program(self) -> bool:
        """Whether it is a command."""
        return self.kind == "command"


@dataclass(frozen=True)
class ReplyTableAI(_NamedAI):
    """The answers of an AI, in a file; nothing is run."""

    name: str
    path: Path
    description = "its answers, in a table"


ForeignAI: TypeAlias = FunctionAI | SavedAI | ProcessAI | ReplyTableAI
AddressedAI: TypeAlias = BuiltInAI | ForeignAI


def parse_function(address: str) -> ProcessAI:
    """Read ``file.py:function`` or ``package.module:function``.

    Raises UsageError, quoting it, when there is no such file or module. The process that runs
    the code checks whether the function exists.
    """
    place = importing.code_place(address, "a function")
    if place is None:
        raise UsageError(_no_ai(address))
    return ProcessAI(address, place.kind, (place.where, place.name))


def _no_ai(address: str) -> str:
    return (
        f"{quote(address)} names no AI: expected file.py:function, package.module:function, "
        "evaluation:file.py:function, 'command:PROGRAM ARGUMENTS', answers:FILE, or a name "
        "(marubatsu ais lists them)"
    )


def parse_command(address: str) -> ProcessAI:
    """Read ``command:`` with a program and its arguments. Raises UsageError for no program."""
    command = address.removeprefix(COMMAND)
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"{quote(command)} is no command: {error}") from None
    if not arguments or shutil.which(arguments[0]) is None:
        raise UsageError(
            f"{quote(address)} names no program on the path that may be executed: expected one, as "
            "in 'command:./program' or 'command:python file.py'"
        )
    return ProcessAI(command, "command", tuple(arguments))


def parse_evaluation(address: str) -> ProcessAI:
    """Read ``evaluation:file.py:function``, or the same with a module. Raises UsageError."""
    function = address.removeprefix(VALUES)
    place = None
    if not _is_built_in(function) and not function.startswith(COMMAND):
        place = importing.code_place(function, "a function that values boards")
    if place is None:
        raise UsageError(
            f"{quote(address)} names no function that values boards: expected one as in "
            "evaluation:file.py:function or evaluation:package.module:function"
        )
    return ProcessAI(address, place.kind, (place.where, place.name), EVALUATION)


VALUES = f"{EVALUATION}:"  # begins the address of an evaluation
COMMAND = "command:"  # of a program
ANSWERS = "answers:"  # of a table of answers
_BEGINNINGS: Mapping[str, Callable[[str], ForeignAI]] = {
    COMMAND: parse_command,
    VALUES: parse_evaluation,
    ANSWERS: lambda address: ReplyTableAI(address, Path(address.removeprefix(ANSWERS))),
}


def ais_at(
    addresses: Iterable[str | Choose], data_set: DataSet, interface: str | None = None
) -> list[AddressedAI]:
    """Return the AIs at addresses; those that are neither built in nor saved speak an interface.

    Raises as `ai_at` does, and UsageError for an unknown interface, for AIs of which none could
    speak it, and for a program or a function that cannot.
    """
    if interface is not None and not is_one_of(interface, INTERFACES):
        raise OptionError("interface", interface, f"expected {one_of(INTERFACES)}")
    ais = [ai_at(address, data_set, may_be_object=interface is not None) for address in addresses]
    if interface is None:
        return ais
    if not any(map(_is_agent, ais)):
        names = " and ".join(quote(ai.name) for ai in ais)
        raise OptionError(
            "interface", interface,
            f"this is for foreign agents that are asked for moves, not for {names}: leave it out",
        )  # fmt: skip
    return [_speaking(ai, interface) if _is_agent(ai) else ai for ai in ais]


def _is_agent(ai: AddressedAI) -> TypeGuard[FunctionAI | ProcessAI]:
    return isinstance(ai, FunctionAI | ProcessAI) and not ai.is_evaluation


def _speaking(ai: FunctionAI | ProcessAI, interface: str) -> AddressedAI:
    is_of_programs, name = INTERFACES[interface].of_programs, quote(ai.name)
    if is_of_programs == ai.is_program:
        return replace(ai, interface=interface)
    why = (
        f"functions and objects speak it, and {name} is a program; expected file.py:name or "
        "package.module:name"
    )
    if is_of_programs:
        why = f"programs speak it, and {name} is none; expected 'command:PROGRAM ARGUMENTS'"
    raise OptionError("interface", interface, f"{why}; {OF_TWO}")


def _name_of(function: object) -> str:
    """Return the name of a function, also of a partial one, or of the kind of an object.

    >>> from functools import partial
    >>> _name_of(max), _name_of(partial(max)), _name_of(5)
    ('max', 'max', 'int')
    """
    named = getattr(function, "func", function)
    return getattr(named, "__qualname__", type(named).__name__)


def ai_at(address: str | Choose, data_set: DataSet, *, may_be_object: bool = False) -> AddressedAI:
    """Return the AI at an address; saved ones belong to a data set.

    An agent of an interface may be an object; others are functions. Raises UsageError or AIError,
    quoting a name that fits none, or what is neither text nor a function; DataError when it is not
    built in and the saved ones are damaged.
    """
    if isinstance(address, EvaluationAI):
        return FunctionAI(f"{VALUES}{_name_of(address.value)}", address.value, EVALUATION)
    if not isinstance(address, str):
        if not may_be_object and not callable(address):
            raise AIError(
                f"{quote(address)} is no AI: expected a function, or a text such as ai14s or "
                "file.py:function; of an object, a method"
            )
        return FunctionAI(_name_of(address), address)
    for beginning, read in _BEGINNINGS.items():
        if address.startswith(beginning):
            return read(address)
    if _is_built_in(address):
        return BuiltInAI(address, find(address))
    return parse_function(address) if ":" in address else _saved(address, data_set)


_AI_OF_A_TREE = "ai_gt"  # how the series calls AIs that take a best move from the tree


def _is_built_in(address: str) -> bool:
    name = address.partition(":")[0]
    return any(ai.name == name for ai in all_ais())


def _saved(name: str, data_set: DataSet) -> SavedAI:
    """Return a saved AI. Raises AIError, with names like it, when there is none."""
    saved = answering_saved_ais(data_set)
    if name not in saved:
        names = [*(ai.name for ai in all_ais()), *saved]
        error = unknown(name, names) if nearest(name, names) else AIError(_no_ai(name))
        files = data_set.root.glob(f"*/{Saved.part}/{AIS.name}.*")
        games = {file.parts[-3] for file in files if ai_of(file.name) == name}
        game = data_set.game.name
        if others := sorted(games - {game}):
            error = AIError(
                f"the AI {quote(name)} is saved for {' and '.join(others)}, not for {game}: "
                f"expected another, or an audit of {game} with the option save"
            )
        elif name.startswith(_AI_OF_A_TREE):  # Its name is like that of ai1, and its moves are not.
            error = AIError(
                f"there is no AI {quote(name)}: the AIs ai_gt of the tutorial series are here "
                "perfect, perfect_sv and perfect_svrd"
            )
        raise error
    return saved[name]


def answering_saved_ais(data_set: DataSet) -> dict[str, SavedAI]:
    """Return the saved AIs of a game by name, ready to answer; see `saved_choices`."""
    from marubatsu.engine.tree.positions import enumerate_positions
    from marubatsu.judge.agents.saved_ais import SavedChoices, saved_choices

    saved = saved_choices(data_set)
    if not saved:
        return {}
    positions = enumerate_positions(data_set.game)
    number_of = {position: number for number, position in enumerate(positions)}

    def answering(ai: SavedChoices) -> Choose:
        def choose(board: str, legal: list[int]) -> dict[int, float]:
            number = number_of[from_text(data_set.game, board)]
            at = slice(int(positions.first_move[number]), int(positions.first_move[number + 1]))
            is_candidate = ai.is_candidate[at]
            moves = positions.move[at][is_candidate].tolist()
            chances = ai.probability[at][is_candidate].tolist()
            return dict(zip(moves, chances, strict=True))

        return choose

    return {
        name: SavedAI(name, ai.rule, answering(ai), ai.could_read_answers)
        for name, ai in saved.items()
    }


def evaluation(value: Choose) -> Choose:
    """Return an AI that moves to a board with the highest value of an evaluation.

    ``value`` takes a board and returns a number. A high number is good for the player who just
    moved, as in ``ai1s`` to ``ai14s``. Each legal move is played; the moves to the boards with the
    greatest value are the candidates. Finished boards are valued, too. Numbers are compared as they
    are: whole numbers and fractions keep ties exact. `audit`, `match` and `search` take the AI; in
    a file it is ``evaluation:file.py:function``.

    Raises UsageError for anything but a function.

    >>> import marubatsu as mb
    >>> def centre(board):
    ...     return int(board[4] == "ox"[board.count("o") == board.count("x")])
    >>> mb.audit(evaluation(centre), positions="random", sample=50).interview.findings
    []
    >>> ours, theirs = (mb.match(ai, "ai3s", games=5) for ai in (evaluation(centre), "ai3s"))
    >>> ours.total == theirs.total
    True
    """
    if not callable(value):
        raise UsageError(
            f"{quote(value)} is no function: expected one that takes a board and returns a number"
        )
    return EvaluationAI(value)
