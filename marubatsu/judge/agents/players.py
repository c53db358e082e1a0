"""AIs ready to play or to be asked: built-in ones as they are, foreign ones started once."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from marubatsu.engine.ais.ai import AI, Chooser
from marubatsu.engine.ais.by_function import ai_of, evaluation_by, ordering_of
from marubatsu.engine.boards.board import Board
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.position import Position
from marubatsu.engine.rules.size import is_large
from marubatsu.engine.search.roster import find
from marubatsu.judge.agents.address import (
    AddressedAI,
    BuiltInAI,
    ForeignAI,
    FunctionAI,
    ProcessAI,
    ReplyTableAI,
    SavedAI,
)
from marubatsu.judge.agents.agent import Agent
from marubatsu.judge.agents.agent_process import Process
from marubatsu.judge.agents.agent_settings import AgentSettings
from marubatsu.judge.agents.faults import raised
from marubatsu.judge.agents.interfaces import EVALUATION, EVALUATION_X_FIRST
from marubatsu.judge.agents.reply_reader import AUTO, ReplyReader
from marubatsu.judge.agents.responder import CalledFunction, Responder
from marubatsu.judge.agents.resume_file import ResumeFile
from marubatsu.pipeline.support.errors import OptionError, UsageError
from marubatsu.pipeline.support.events import note_once
from marubatsu.pipeline.support.machine import MOVE_SECONDS
from marubatsu.pipeline.tables.data_set import DataSet

_PERFECT = {"perfect": "best_moves", "perfect_sv": "best_moves_sv"}
"""The AIs that an oracle replaces where no table of best moves fits memory, and their moves."""

_REMEMBERED = 1 << 16  # positions whose best moves a perfect player keeps


def agent_of(ai: ForeignAI, game: Game, settings: AgentSettings, data: Path | None = None) -> Agent:
    """Return a foreign AI, ready to start; one in a process runs confined, within limits.

    It does not see ``data``, the folder that judges it. Raises UsageError when a thing of this
    program is no agent of its interface, and for options that an agent of an interface cannot have.
    """
    if isinstance(ai, SavedAI | ReplyTableAI):
        return Agent(ai.name, [_of_answers(ai, game, settings)], ReplyReader(AUTO, game))
    form, is_exchanged = settings.answers, settings.is_exchanged
    if ai.interface and form != AUTO and not ai.is_evaluation:
        raise OptionError(
            "answers", form, f"agents of {ai.interface} answer in its terms; leave this out"
        )
    if ai.is_evaluation:
        form = "moves"
        ai = replace(ai, interface=EVALUATION_X_FIRST if is_exchanged else EVALUATION)
    elif ai.interface:
        form = "weights"
        if is_exchanged:
            is_exchanged = False
            note_once(
                "marks", ai.name,
                f"{ai.name}: {ai.interface} has its own marks, which are not exchanged",
            )  # fmt: skip
    reader = ReplyReader(form, game)
    if ai.interface:
        reader.meanings = []  # Its framework decides what its answers mean.
    responders: Sequence[Responder] = (
        [Process(ai, game, settings, data) for _ in range(settings.jobs)]
        if isinstance(ai, ProcessAI)
        else [_of_this_program(ai, game)]
    )
    kept = None
    if settings.resume is not None:
        whose = {
            "game": game.name, "ai": ai.address, "code": ai.code,
            "interface": ai.interface or "", "first": MARKS[settings.is_exchanged],
        }  # fmt: skip
        kept = ResumeFile(settings.resume, whose)
    return Agent(
        ai.name, responders, reader, most_questions=settings.most_questions,
        retries=settings.retries, kept=kept, is_exchanged=is_exchanged,
    )  # fmt: skip


def _of_answers(ai: SavedAI | ReplyTableAI, game: Game, settings: AgentSettings) -> Responder:
    if isinstance(ai, ReplyTableAI):
        from marubatsu.judge.agents.reply_table import ReplyTable

        return ReplyTable(ai, game, settings)
    function = CalledFunction(ai.choose, ai.name, game)
    function.could_read_answers = ai.could_read_answers
    return function


def _of_this_program(ai: FunctionAI, game: Game) -> CalledFunction:
    try:
        function = CalledFunction(ai.agent, ai.name, game, ai.interface)
    except Exception as error:
        raise UsageError(f"{ai.name} cannot be asked: {raised(error)}") from error
    function.could_read_answers = "it runs in the program that asks"
    function.not_confined = f"anything, as {function.could_read_answers}"
    return function


def note_box(not_confined: str) -> None:
    """Say once a run what no box of this machine keeps foreign AIs from."""
    note_once("box", "", f"foreign AIs are not confined: {not_confined}")


class Players(ExitStack):
    """The AIs of one game; foreign ones are started once, and stay until the end of the block."""

    def __init__(
        self,
        data_set: DataSet,
        settings: AgentSettings,
        seconds: float = MOVE_SECONDS,
        *,
        notes_box: bool = True,
    ) -> None:
        """Name the game, and its data: the saved AIs, and what perfect players look into.

        ``seconds`` limit a perfect player's search for one move. ``notes_box`` is false for an
        audit, whose report says itself what no box confines.
        """
        super().__init__()
        self._data_set, self._settings, self._seconds = data_set, settings, seconds
        self._notes_box = notes_box
        self.answers = settings.answers  # the form of those of foreign AIs
        self._agents: dict[ForeignAI, Agent] = {}

    def player(self, ai: AddressedAI | str) -> AI:
        """Return an AI; a built-in one may be given by its name.

        Raises AIError for another name, and as `agent` does.
        """
        if isinstance(ai, str):
            ai = BuiltInAI(ai, find(ai))
        if not isinstance(ai, BuiltInAI):
            agent, rule = self.agent(ai), [ai.rule] if isinstance(ai, SavedAI) else []
            return ai_of(ai.name, agent.ask, *rule)
        game = self._data_set.game
        if ai.name in _PERFECT and is_large(game):
            return self._perfect(ai.ai)
        return ai.ai

    def ordering(self, ai: AddressedAI) -> AI:
        """Return an ordering. Raises as `player` does, and UsageError for a table."""
        if ai.is_evaluation:
            return self.evaluation(ai)
        if isinstance(ai, ReplyTableAI):
            raise UsageError(
                f"{quote(ai.name)} is a table, which answers only on its boards: expected "
                "file.py:function or package.module:function as ordering"
            )
        return ai.ai if isinstance(ai, BuiltInAI) else ordering_of(ai.name, self.agent(ai).rank)

    def evaluation(self, ai: AddressedAI) -> AI:
        """Return an evaluation. Raises as `player` does, and UsageError for what has no values."""
        if isinstance(ai, BuiltInAI):
            return ai.ai
        if isinstance(ai, SavedAI | ReplyTableAI) or ai.is_program:
            what = {SavedAI: "a saved AI", ReplyTableAI: "a table"}.get(type(ai), "a program")
            raise UsageError(
                f"{quote(ai.name)} is {what}, which answers with moves: expected "
                "file.py:function or package.module:function as evaluation"
            )
        return evaluation_by(ai.name, self.agent(replace(ai, interface=None)).value)

    def agent(self, ai: ForeignAI) -> Agent:
        """Return a foreign AI, started. Raises as `agent_of`, and DataError if it does not load."""
        if ai not in self._agents:
            data, settings = self._data_set, self._settings
            if isinstance(ai, ProcessAI | FunctionAI):  # The file belongs to the first of them.
                self._settings = replace(settings, resume=None)
            agent = self.enter_context(agent_of(ai, data.game, settings, data.root))
            not_confined = agent.responder.not_confined
            if self._notes_box and not_confined and isinstance(ai, ProcessAI):
                note_box(not_confined)
            self._agents[ai] = agent
        return self._agents[ai]

    def _perfect(self, ai: AI) -> AI:
        """Return an AI that takes the best moves that an oracle knows.

        Where a search proves none in its time, it takes the most promising move, and says so.
        """
        from marubatsu.judge.oracle.answer import BoundedAnswer
        from marubatsu.judge.oracle.choose_oracle import open_oracle

        oracle = open_oracle(self._data_set, seconds=self._seconds)

        @lru_cache(_REMEMBERED)
        def cells(position: Position) -> tuple[int, ...]:
            answer = oracle.within(position)
            if not isinstance(answer, BoundedAnswer):
                best: tuple[int, ...] = getattr(answer, _PERFECT[ai.name])
                return best
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
