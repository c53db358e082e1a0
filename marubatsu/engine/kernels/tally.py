"""What a search counts, where it ends, and what searches that grow a tree have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from marubatsu.engine.kernels.bit_rules import bit_game
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Status
from marubatsu.engine.search.options import Options

NO_LIMIT = 1 << 62

STOPPED, NO_ROOM = 2, 3
"""What a kernel returns instead of a score: it visited too many nodes, or its tree is full."""


class NodeTypes(NamedTuple):
    """The nodes of a search with windows, by type: their sum is all nodes.

    leaves     finished, or at the last ply that the search looks at
    answered   the table knew enough
    pv         expanded, with a score inside of the window
    cut        expanded, with a score of beta at least
    all        expanded, with a score of alpha at most
    first_cut  those of the cut nodes whose first move cut
    """

    leaves: int
    answered: int
    pv: int
    cut: int
    all: int
    first_cut: int


class SearchTally(NamedTuple):
    """The result of a search of one position.

    score  circle's view; None: the search has visited more nodes than it may, or has no room
    nodes  as `docs/searches.md` counts them
    types  None for algorithms without windows
    """

    score: int | None
    nodes: int
    types: NodeTypes | None = None


class SearchEnded(Exception):  # noqa: N818, not an error
    """The search has reached its limit of nodes, or another thread has stopped it."""


class BitSearcher(ABC):
    """A search of a game, prepared for many positions; no search uses the results of another."""

    def __init__(self, game: Game, options: Options) -> None:
        """Prepare. Raises GameError for a game that is too large."""
        self._options = options
        self._bits = bit_game(game, by_lines=options.by_lines)
        self._limit = np.full(1, NO_LIMIT)  # Kernels read it at each node.
        self._is_stopped = False

    @property
    def entries(self) -> int:
        """Number of entries in the table; 0 without one that bounds scores."""
        return 0

    @abstractmethod
    def count(self, position: Position, limit: int = NO_LIMIT) -> SearchTally:
        """Search a position; there is no score after more nodes than allowed, or than have room."""

    def stop(self) -> None:
        """End the search of another thread; from now on no search has a score."""
        self._is_stopped = True
        self._limit[0] = 0

    def _allow(self, nodes: int) -> None:
        """Allow so many nodes, unless the search is stopped for good."""
        self._limit[0] = nodes
        if self._is_stopped:
            self._limit[0] = 0


class TreeSearch(BitSearcher):
    """A search that grows a tree in memory."""

    kind: ClassVar[Any]
    """The tree: a named tuple with an array for each field of the nodes, `first` among them."""

    def __init__(self, game: Game, options: Options) -> None:
        super().__init__(game, options)
        self._tree = self._new_tree(1 << 10)

    def count(self, position: Position, limit: int = NO_LIMIT) -> SearchTally:
        """Return the score of a position, None where the limit ends the search, and the nodes."""
        status = self._bits.game.status(position)
        if status is not Status.PLAYING:
            return SearchTally(status.score, 1)
        score, nodes = self._search(position, limit)
        return SearchTally(None if score is None else position.turn.sign * score, nodes)

    @abstractmethod
    def _search(self, position: Position, limit: int) -> tuple[int | None, int]:
        """Return the score for the side to move, None where it is not known, and the nodes."""

    def _grow(self, grow: Callable[[Any], tuple[int, int]], most: int) -> tuple[int, int]:
        """Return what a kernel returns with a tree that has room, or with one of most nodes."""
        while True:  # A larger tree grows in the same way, from the start.
            answer, nodes = grow(self._tree)
            if answer != NO_ROOM or len(self._tree.first) >= most:
                return answer, nodes
            self._tree = self._new_tree(4 * len(self._tree.first))

    def _new_tree(self, nodes: int) -> Any:
        return self.kind._make(np.zeros(nodes, np.int64) for _ in self.kind._fields)
