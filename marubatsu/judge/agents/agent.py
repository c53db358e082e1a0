"""An agent: somebody's function or program that answers questions about boards."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, Self, TypeAlias

from marubatsu.engine.ais.reply import Fault, Reply, Returned
from marubatsu.engine.rules.board_text import exchange_marks
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.address import (
    ForeignAI,
    FunctionAI,
    ProcessAI,
    SavedAI,
)
from marubatsu.judge.agents.agent_limits import AgentLimits
from marubatsu.judge.agents.agent_process import Process
from marubatsu.judge.agents.failures import raised
from marubatsu.judge.agents.plain import cut
from marubatsu.judge.agents.reader import AUTO, AmbiguousError, AnswerReader
from marubatsu.judge.agents.returned import REFUSED, Asked
from marubatsu.judge.agents.signatures import VALUES, require_signature
from marubatsu.judge.bridges.interfaces import EVALUATION, OF_EXCHANGED_MARKS, chooser
from marubatsu.pipeline.support.errors import OptionError, UsageError
from marubatsu.pipeline.support.events import note_once

_Read: TypeAlias = Callable[[Any, list[int]], Reply | Fault]


class RefusedError(UsageError):
    """An AI that cannot be judged as it is asked: its answers, or its arguments, are others."""


class Connection(Protocol):
    """What answers within its ``with`` block; the answers are not read as moves yet."""

    @property
    def printed(self) -> str:
        """The beginning of what it printed."""

    @property
    def not_confined(self) -> str | None:
        """What no box keeps it from, as the end of a sentence; None when there is nothing."""

    @property
    def could_read_answers(self) -> str | None:
        """Why it could read the answers of the judge, as a clause; None when it could not."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...

    def ask(self, board: str, legal: list[int]) -> tuple[Returned | Reply | Fault, list[Fault]]:
        """Ask for the moves in a position; the list holds faults besides the answer."""

    def value(self, board: str) -> float | Fault:
        """Ask for the value of a board."""


class _Called:
    """A function of this program, called directly."""

    printed = ""

    def __init__(
        self, asked: Asked, could_read_answers: str | None, not_confined: str | None = None
    ) -> None:
        self._asked, self.not_confined = asked, not_confined
        self.could_read_answers = could_read_answers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def ask(self, board: str, legal: list[int]) -> tuple[Returned | Fault, list[Fault]]:
        return self._asked.moves(board, list(legal)), []

    def value(self, board: str) -> float | Fault:
        return self._asked.value(board)


class Agent:
    """A foreign AI within its ``with`` block: its answers are read in one form.

    Where cross begins on its boards, it is asked with the marks exchanged.
    """

    def __init__(
        self, name: str, source: Connection, reader: AnswerReader, *, is_exchanged: bool
    ) -> None:
        """Take what answers, and who reads the answers."""
        self._name, self._source, self._reader = name, source, reader
        self.is_exchanged = is_exchanged

    @property
    def printed(self) -> str:
        """The beginning of what it printed."""
        return self._source.printed

    @property
    def not_confined(self) -> str | None:
        """What no box keeps it from, as the end of a sentence; None when there is nothing."""
        return self._source.not_confined

    @property
    def could_read_answers(self) -> str | None:
        """Why it could read the answers of the judge, as a clause; None when it could not."""
        return self._source.could_read_answers

    def __enter__(self) -> Self:
        """Start it. Raises DataError and UsageError."""
        self._source.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        """End it."""
        self._source.__exit__(*exception)

    def ask(
        self, board: str, legal: list[int], *, exchanged: bool = False
    ) -> tuple[Reply | Fault, list[Fault]]:
        """Ask for the moves in a position; the list holds faults besides the answer.

        ``exchanged`` asks with the marks the other way round. Raises RefusedError.
        """
        answer, beside = self._source.ask(self._seen(board, exchanged=exchanged), legal)
        return self._read(answer, board, legal, self._reader.moves), beside

    def rank(self, board: str, legal: list[int]) -> Reply | Fault:
        """Ask an ordering: the moves with scores, the greatest first. Raises RefusedError."""
        answer, _ = self._source.ask(self._seen(board), legal)
        return self._read(answer, board, legal, self._reader.ranks)

    def value(self, board: str) -> float | Fault:
        """Ask for the value of a board. Raises RefusedError."""
        value = self._source.value(self._seen(board))
        self._require_asked(value)
        return value

    def _seen(self, board: str, *, exchanged: bool = False) -> str:
        return exchange_marks(board) if self.is_exchanged != exchanged else board

    def _read(
        self, answer: Returned | Reply | Fault, board: str, legal: list[int], read: _Read
    ) -> Reply | Fault:
        """Read an answer that is not read yet. Raises RefusedError."""
        self._require_asked(answer)
        if not isinstance(answer, Returned):
            return answer
        try:
            return read(answer.value, legal)
        except AmbiguousError as error:
            raise RefusedError(
                f"{self._name} answered {cut(repr(answer.value))} on {board}: {error.what}; "
                f"{error.cure}"
            ) from None

    def _require_asked(self, answer: object) -> None:
        if isinstance(answer, Fault) and answer.kind == REFUSED:
            raise RefusedError(f"{self._name} cannot be asked: {answer.detail}")


def agent_of(ai: ForeignAI, game: Game, limits: AgentLimits, data: Path | None = None) -> Agent:
    """Return what answers for a foreign AI; one in a process runs confined, within limits.

    It does not see ``data``, the folder that judges it. Raises UsageError when a thing of this
    program is no agent of its interface, and for options that an agent of an interface cannot have.
    """
    if isinstance(ai, SavedAI):
        source: Connection = _Called(
            Asked(ai.choose, ai.name, is_checked=False), ai.could_read_answers
        )
        return Agent(ai.name, source, AnswerReader(AUTO, game), is_exchanged=False)
    form, is_exchanged = limits.answers, limits.is_exchanged
    if ai.interface:
        if form != AUTO:
            raise OptionError(
                "answers", form, f"agents of {ai.interface} answer in its terms; leave this out"
            )
        form = "moves" if ai.is_evaluation else "weights"
        if ai.is_evaluation:
            ai = replace(ai, interface=OF_EXCHANGED_MARKS if is_exchanged else EVALUATION)
        elif is_exchanged:
            is_exchanged = False
            note_once(
                "marks", ai.name,
                f"{ai.name}: {ai.interface} has its own marks, which are not exchanged",
            )  # fmt: skip
    reader = AnswerReader(form, game)
    if isinstance(ai, ProcessAI):
        source = Process(ai, game, limits, data)
    else:
        source = _of_this_program(ai, game)
    return Agent(ai.name, source, reader, is_exchanged=is_exchanged)


def _of_this_program(ai: FunctionAI, game: Game) -> Connection:
    """Return a function of this program. Raises UsageError when it is no agent of its interface."""
    choose = ai.agent
    if ai.interface:
        try:
            if ai.is_evaluation:
                require_signature(choose, ai.name, VALUES)
            choose = chooser(ai.interface, choose, game)
        except Exception as error:
            raise UsageError(f"{ai.name} cannot be asked: {raised(error)}") from error
    asked = Asked(choose, ai.name, is_checked=not ai.interface)
    why = "it runs in the program that asks"
    return _Called(asked, why, f"anything, as {why}")
