"""An agent: somebody's function or program that answers questions about boards."""

from typing import Protocol, Self

from marubatsu.engine.players.by_function import Choose
from marubatsu.engine.players.reply import Fault, Reply
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.agents.address import ForeignAI, ProcessAI, SavedAI
from marubatsu.pipeline.agents.agent_limits import AgentLimits
from marubatsu.pipeline.agents.agent_process import Process
from marubatsu.pipeline.agents.returned import (
    answered,
    raised,
    read_message,
    read_number,
    read_value,
)
from marubatsu.pipeline.frameworks.interfaces import chooser
from marubatsu.pipeline.support.errors import UsageError


class Agent(Protocol):
    """An agent answers inside its ``with`` block."""

    @property
    def printed(self) -> str:
        """The beginning of what it printed."""

    @property
    def not_confined(self) -> str | None:
        """What no box keeps it from, as the end of a sentence; None when there is nothing."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...

    def ask(self, board: str, legal: list[int]) -> tuple[Reply | Fault, list[Fault]]:
        """Ask for the moves in a position; the list holds faults besides the answer."""

    def value(self, board: str) -> float | Fault:
        """Ask for the value of a board."""


class _Called:
    """A function of this program, called directly."""

    printed = ""

    def __init__(self, function: Choose, not_confined: str | None = None) -> None:
        self._function, self.not_confined = function, not_confined

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def ask(self, board: str, legal: list[int]) -> tuple[Reply | Fault, list[Fault]]:
        try:
            return read_message(answered(self._function, board, list(legal))), []
        except Exception as error:  # noqa: BLE001, a function may raise anything
            return Fault("raises", raised(error)), []

    def value(self, board: str) -> float | Fault:
        try:
            found = read_value(self._function(board))
        except Exception as error:  # noqa: BLE001, a function may raise anything
            return Fault("raises", raised(error))
        return read_number(found)


def agent_of(ai: ForeignAI, game: Game, limits: AgentLimits) -> Agent:
    """Return what answers for a foreign AI; one in a process runs confined, within limits.

    Raises UsageError when a thing of this program is no agent of its interface.
    """
    if isinstance(ai, ProcessAI):
        return Process(ai, game, limits)
    if isinstance(ai, SavedAI):
        return _Called(ai.choose)
    choose = ai.agent
    if ai.interface:
        try:
            choose = chooser(ai.interface, choose, game)
        except Exception as error:
            raise UsageError(f"{ai.name} cannot be asked: {raised(error)}") from error
    return _Called(choose, "anything, as it runs in the program that asks")
