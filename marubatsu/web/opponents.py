"""The AIs that the page plays and asks: ours, and those that the user names.

One thread asks them, one question at a time. The process of a foreign AI ends with the thread that
started it, so no thread of a pool may start it again.
"""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import Any

from marubatsu.engine.ais.ai import AI, Chooser
from marubatsu.engine.ais.by_function import FAMILY
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.rules.board_text import from_text
from marubatsu.engine.rules.bounds import MAX_POSITIONS, TooLargeError
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.size import estimate_positions
from marubatsu.engine.search.roster import all_ais
from marubatsu.judge.agents.address import AddressedAI, AgentSettings
from marubatsu.judge.agents.players import Players
from marubatsu.judge.agents.saved_ais import saved_ais
from marubatsu.judge.bridges.our_players import chances_of
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.tables.data_set import DataSet

_REMEMBERED = 10_000  # answers


class Opponents:
    """The AIs that one game has."""

    def __init__(self, game: Game, ais: dict[str, AI], thread: ThreadPoolExecutor) -> None:
        """Take the AIs by their names, and the thread that asks them; see `opponents_of`."""
        self._ais, self._thread = ais, thread
        self._board = new_board(game)
        self._game = game
        self._choosers: dict[str, Chooser] = {}
        self._answered: dict[tuple[str, str], list[dict[str, Any]]] = {}

    @property
    def names(self) -> list[str]:
        """The names of all."""
        return list(self._ais)

    def rows(self) -> list[dict[str, Any]]:
        """List them as the table of AIs does."""
        return [
            {
                "ai": name,
                "family": ai.family,
                "rule": ai.rule,
                "parameters": json.dumps(dict(ai.parameters), default=float),
            }
            for name, ai in self._ais.items()
        ]

    def choices(self, name: str, board: str, gone: Event) -> list[dict[str, Any]]:
        """Ask an AI what it makes of each legal move of an unfinished position, and wait for it.

        The names are those of the table of the choices of AIs. Once ``gone`` is set, a question
        that waits is not asked. Raises AIError when the AI fails, UsageError when there is no such
        AI, DataError for a question that was not asked.
        """
        if name not in self._ais:
            raise UsageError(
                f"there is no AI {quote(name)} here: GET /api/v2/games/{self._game.name}/ais "
                "lists them"
            )
        return self._thread.submit(self._ask, name, board, gone).result()

    def _ask(self, name: str, board: str, gone: Event) -> list[dict[str, Any]]:
        if gone.is_set():
            raise DataError("client disconnected; its question was not asked")
        if (name, board) in self._answered:
            return self._answered[name, board]
        if name not in self._choosers:
            self._choosers[name] = self._ais[name].on(self._game)
        chooser = self._choosers[name]
        self._board.set_up(from_text(self._game, board))
        rows = _rows(chooser, self._board)
        if chooser.is_fixed:
            if len(self._answered) >= _REMEMBERED:
                self._answered.clear()
            self._answered[name, board] = rows
        return rows


def _rows(chooser: Chooser, board: Any) -> list[dict[str, Any]]:
    choice = chooser.choice(board)
    scores = choice.ai_scores or (None,) * len(choice.legal)
    return [
        {
            "move": move,
            "ai_score": None if score is None else float(score),
            "is_candidate": chance > 0,
            "probability": chance,
        }
        for (move, chance), score in zip(chances_of(choice).items(), scores, strict=True)
    ]


@contextmanager
def opponents_of(
    data_set: DataSet, ais: Sequence[AddressedAI], settings: AgentSettings
) -> Iterator[Opponents]:
    """Return the AIs of a game: ours that can play it, saved ones, and some others.

    Foreign AIs run confined, within limits, until the end of the block. Raises UsageError or
    DataError for one that does not load, TooLargeError for one of ours that cannot play this game.
    """
    game = data_set.game
    is_small = estimate_positions(game) <= MAX_POSITIONS
    with Players(data_set, settings) as players:
        thread = ThreadPoolExecutor(1, "opponents")
        players.callback(thread.shutdown, cancel_futures=True)
        built_in = {ai.name: players.player(ai.name) for ai in all_ais()}
        named = {ai.name: players.player(ai) for ai in ais}
        for ai in named.values():
            if ai.family != FAMILY:
                ai.on(game)  # It may be too large.
        ours = {name: ai for name, ai in built_in.items() if is_small or _fits(ai, game)}
        saved = {name: players.player(ai) for name, ai in saved_ais(data_set).items()}
        yield Opponents(game, {**ours, **saved, **named}, thread)


def _fits(ai: AI, game: Game) -> bool:
    try:
        ai.on(game)
    except TooLargeError:
        return False
    return True
