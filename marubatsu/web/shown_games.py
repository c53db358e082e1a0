"""The games that the API shows: the one it was started with, and others, opened when asked for."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Lock, Timer
from time import monotonic
from typing import Any, NoReturn

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.checking.verify import data_sets
from marubatsu.pipeline.store.data_set import AnswersTable, DataSet, Solution
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.machine import give_back_memory
from marubatsu.version import __version__
from marubatsu.web.documents import rules_of
from marubatsu.web.shown_game import OTHERS_MEMORY, ShownGame, show_game, source_of

MOST_OPEN = 4
"""Other games that are open at a time; a new one replaces the one that was idle for longest."""

IDLE = 60.0
"""Seconds after its last use in which a game is closed."""

SUGGESTED = ("connect4", "6x5k4-gravity", "5x5k4", "4x4k4-torus", "3x3k3-misere")
"""Games that a search answers about, for people who look for one."""


@dataclass
class _Open:
    """A game that is open."""

    shown: ShownGame
    stack: ExitStack  # closes it
    users: int = 0
    used: float = 0.0  # when its last user left


class ShownGames:
    """The games, each opened once; the others than the first are closed when they are idle."""

    def __init__(self, first: ShownGame, data_set: DataSet) -> None:
        """Take the first game, and the data set that it was opened from."""
        self.first, self._root = first, data_set.root
        self._lock = Lock()
        self._open: dict[Game, _Open] = {}
        self._timer: Timer | None = None  # closes idle games

    def rows(self) -> list[dict[str, Any]]:
        """List the games: those with data, and some of those that a search answers about."""
        first = self.first.game
        found = {first: source_of(self.first.data or DataSet(self._root, first))}
        for data_set in data_sets(self._root)[0]:
            if isinstance(data_set, Solution | AnswersTable) or not data_set.part:
                found.setdefault(data_set.game, source_of(DataSet(self._root, data_set.game)))
        for name in SUGGESTED:
            found.setdefault(Game(name), source_of(DataSet(self._root, Game(name))))
        order = sorted(found, key=lambda game: (game != first, game.cells, game.notation))
        return [{**rules_of(game), "source": found[game]} for game in order]

    def start(self) -> dict[str, Any]:
        """Return what the page asks for first."""
        return {
            "version": __version__,
            "server": True,
            "game": self.first.game.name,
            "games": self.rows(),
        }

    @contextmanager
    def game(self, name: str) -> Iterator[ShownGame]:
        """Open a game by its name, if it is not open, for the time of the block.

        Raises GameError for no name of a game or one that is too large to be searched, DataError
        when its data is damaged or somebody writes it, or too many games are in use.
        """
        game = Game(name)
        if game == self.first.game:
            yield self.first
            return
        with self._lock:
            if game not in self._open:
                self._make_room()
                stack = ExitStack()
                opened = show_game(DataSet(self._root, game), _refuse, memory=OTHERS_MEMORY)
                self._open[game] = _Open(stack.enter_context(opened), stack)
            here = self._open[game]
            here.users += 1
        try:
            yield here.shown
        finally:
            with self._lock:
                here.users -= 1
                here.used = monotonic()
                self._close_later()

    def close(self) -> None:
        """Close all games but the first."""
        with self._lock:
            if self._timer:
                self._timer.cancel()
            for game in list(self._open):
                self._close(game)

    def _idle(self) -> list[Game]:
        """List the games that nobody uses, the longest idle first."""
        idle = [game for game, here in self._open.items() if not here.users]
        return sorted(idle, key=lambda game: self._open[game].used)

    def _make_room(self) -> None:
        if len(self._open) < MOST_OPEN:
            return
        idle = self._idle()
        if not idle:
            raise DataError(f"{MOST_OPEN} other games are in use: ask again in some seconds")
        self._close(idle[0])

    def _close(self, game: Game) -> None:
        self._open.pop(game).stack.close()
        give_back_memory()

    def _close_later(self) -> None:
        """Let a timer close games when they are idle for long enough."""
        if self._timer is None and self._open:
            self._timer = Timer(IDLE / 4, self._close_idle)
            self._timer.daemon = True
            self._timer.start()

    def _close_idle(self) -> None:
        with self._lock:
            for game in self._idle():
                if monotonic() - self._open[game].used >= IDLE:
                    self._close(game)
            self._timer = None
            self._close_later()


def _refuse() -> NoReturn:
    raise DataError("this game is being built or solved: ask again when that has ended")
