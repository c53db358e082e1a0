"""The result and the node counts of a search, whichever algorithm ran."""

from typing import NamedTuple, Protocol

import numpy as np

from marubatsu.engine.rules.position import Position

NO_LIMIT = 1 << 62


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


class Limit:
    """The most nodes of a search; another thread may end it."""

    def __init__(self) -> None:
        self.nodes = np.full(1, NO_LIMIT)  # Kernels read it at each node.
        self._is_stopped = False

    def set(self, nodes: int) -> None:
        """Allow so many nodes, unless the search is stopped for good."""
        self.nodes[0] = nodes
        if self._is_stopped:
            self.nodes[0] = 0

    def stop(self) -> None:
        """Allow no more nodes, from now on."""
        self._is_stopped = True
        self.nodes[0] = 0


class BitSearcher(Protocol):
    """A search of a game, prepared for many positions; no search uses the results of another."""

    def count(self, position: Position, limit: int = NO_LIMIT) -> SearchTally:
        """Search a position; there is no score after more nodes than allowed, or than have room."""

    def stop(self) -> None:
        """End the search of another thread; from now on no search has a score."""
