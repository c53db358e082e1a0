"""AIs, orderings and evaluations by their address, ready to play: one address for all."""

from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache
from typing import Any, Self

from marubatsu.engine.ais.ai import AI, Chooser
from marubatsu.engine.ais.by_function import Ask, Choose, ai_of, evaluation_by, ordering_of
from marubatsu.engine.boards.board import Board
from marubatsu.engine.rules.bounds import MAX_POSITIONS
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.position import Position
from marubatsu.engine.rules.size import estimate_positions
from marubatsu.judge.agents.address import (
    AddressedAI,
    ForeignAI,
    OurAI,
    ProcessAI,
    SavedAI,
    ai_at,
)
from marubatsu.judge.agents.agent import Agent, agent_of
from marubatsu.judge.agents.agent_limits import AgentLimits
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.events import note_once
from marubatsu.pipeline.support.search_limits import MOVE_SECONDS

_PERFECT = {"perfect": "best_moves", "perfect_sv": "best_moves_sv"}
"""The AIs that an oracle replaces where no table of best moves fits memory, and their moves."""

_REMEMBERED = 1 << 16
"""Positions whose best moves a perfect player keeps."""


def note_box(not_confined: str) -> None:
    """Say once a run what no box of this machine keeps foreign AIs from."""
    note_once("box", "", f"foreign AIs are not confined: {not_confined}")


class Players:
    """The AIs of one game; foreign ones are started once, and stay until the end of the block."""

    def __init__(
        self,
        data_set: DataSet,
        limits: AgentLimits,
        seconds: float = MOVE_SECONDS,
        *,
        notes_box: bool = True,
    ) -> None:
        """Name the game, and its data: the saved AIs, and what perfect players look into.

        ``seconds`` limit a perfect player's search for one move. ``notes_box`` is false for an
        audit, whose report says itself what no box confines.
        """
        self._data_set, self._limits, self._seconds = data_set, limits, seconds
        self._notes_box = notes_box
        self._stack = ExitStack()
        self._agents: dict[ForeignAI, Agent] = {}

    def __enter__(self) -> Self:
        """Return the players."""
        return self

    def __exit__(self, *exception: object) -> None:
        """End the processes of foreign AIs."""
        self._stack.close()

    def player(self, address: AddressedAI | Choose | str) -> AI:
        """Return an AI. Raises AIError or UsageError for an address that fits none.

        Raises DataError when the saved AIs are damaged, unless it is one of ours.
        """
        ai = self._read(address)
        if isinstance(ai, SavedAI):
            return ai_of(ai.name, self._ask(ai), ai.rule)
        if not isinstance(ai, OurAI):
            return ai_of(ai.name, self._ask(ai))
        game = self._data_set.game
        if ai.name in _PERFECT and estimate_positions(game) > MAX_POSITIONS:
            return self._perfect(ai.ours)
        return ai.ours

    def ordering(self, address: AddressedAI | Choose | str) -> AI:
        """Return an ordering. Raises as `player` does."""
        ai = self._read(address)
        if ai.is_evaluation:
            return self.evaluation(ai)
        return ai.ours if isinstance(ai, OurAI) else ordering_of(ai.name, self.agent(ai).rank)

    def evaluation(self, address: AddressedAI | Choose | str) -> AI:
        """Return an evaluation. Raises as `player` does."""
        ai = self._read(address)
        if isinstance(ai, OurAI):
            return ai.ours
        if isinstance(ai, SavedAI) or ai.kind == "command":
            what = "a saved AI" if isinstance(ai, SavedAI) else "a program"
            raise UsageError(
                f"{quote(ai.name)} is {what}, which answers with moves: expected "
                "file.py:function or package.module:function as evaluation"
            )
        return evaluation_by(ai.name, self.agent(replace(ai, interface=None)).value)

    def _read(self, address: AddressedAI | Choose | str) -> AddressedAI:
        """Return the AI at an address, which may be read already."""
        return address if isinstance(address, AddressedAI) else ai_at(address, self._data_set)

    def _ask(self, ai: ForeignAI) -> Ask:
        agent = self.agent(ai)
        return lambda board, legal: agent.ask(board, legal)[0]

    def agent(self, ai: ForeignAI) -> Agent:
        """Return a foreign AI, started. Raises DataError when it does not load."""
        if ai not in self._agents:
            started = agent_of(ai, self._data_set.game, self._limits, self._data_set.root)
            agent = self._stack.enter_context(started)
            if self._notes_box and agent.not_confined and isinstance(ai, ProcessAI):
                note_box(agent.not_confined)
            self._agents[ai] = agent
        return self._agents[ai]

    def _perfect(self, ai: AI) -> AI:
        """Return an AI that takes the best moves that an oracle knows.

        Where a search proves none in its time, it takes the most promising move, and says so.
        """
        from marubatsu.judge.oracle.bounded_answer import BoundedAnswer
        from marubatsu.judge.oracle.opening import open_oracle
        from marubatsu.pipeline.support.progress import say_waiting

        oracle = open_oracle(self._data_set, say_waiting, seconds=self._seconds)

        @lru_cache(_REMEMBERED)
        def cells(position: Position) -> tuple[int, ...]:
            answer = oracle.within(position)
            if not isinstance(answer, BoundedAnswer):
                found: tuple[int, ...] = getattr(answer, _PERFECT[ai.name])
                return found
            if answer.best_moves and ai.name == "perfect":
                return answer.best_moves
            note_once(
                "unproved", ai.name,
                f"{ai.name} could not prove its best moves in {self._seconds:g} s each, and plays "
                "the most promising ones; more time may prove them",
            )  # fmt: skip
            return (answer.moves[0].move,)

        def candidates(board: Board[Any]) -> list[Any]:
            return [board.move_of(cell) for cell in cells(board.position())]

        return AI(ai.name, ai.family, ai.rule, lambda game: Chooser(candidates))
