"""The games that the API shows: the one it was started with, and others, opened when asked for."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Lock
from typing import Any, NoReturn

from marubatsu import __version__
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.api.documents import rules_of
from marubatsu.pipeline.api.shown_game import ShownGame, show_game, source_of
from marubatsu.pipeline.checking.verify import data_sets
from marubatsu.pipeline.store.data_set import AnswersTable, DataSet, Solution
from marubatsu.pipeline.support.errors import DataError

MOST_OPEN = 4
"""Games that are open beside the first; the one that was not used for longest is closed."""

SUGGESTED = ("connect4", "6x5k4-gravity", "5x5k4", "4x4k4-torus", "3x3k3-misere")
"""Games that a search answers about, for people who look for one."""


class ShownGames:
    """The games, each opened once; others than the first are closed when there are many."""

    def __init__(self, first: ShownGame, data_set: DataSet) -> None:
        """Take the first game, and the data set that it was opened from."""
        self.first, self._root = first, data_set.root
        self._lock = Lock()
        self._opened: OrderedDict[Game, tuple[ShownGame, ExitStack]] = OrderedDict()
        self._users: dict[Game, int] = {}

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
            if game not in self._opened:
                self._make_room()
                stack = ExitStack()
                shown = stack.enter_context(show_game(DataSet(self._root, game), _refuse))
                self._opened[game] = shown, stack
            self._opened.move_to_end(game)
            self._users[game] = self._users.get(game, 0) + 1
            shown, _ = self._opened[game]
        try:
            yield shown
        finally:
            with self._lock:
                self._users[game] -= 1

    def close(self) -> None:
        """Close all games but the first."""
        with self._lock:
            for _, stack in self._opened.values():
                stack.close()
            self._opened.clear()

    def _make_room(self) -> None:
        if len(self._opened) < MOST_OPEN:
            return
        idle = next((game for game in self._opened if not self._users.get(game)), None)
        if idle is None:
            raise DataError(f"{MOST_OPEN} other games are in use: ask again in some seconds")
        _, stack = self._opened.pop(idle)
        stack.close()


def _refuse() -> NoReturn:
    raise DataError("this game is being built or solved: ask again when that has ended")
