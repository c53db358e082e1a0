"""What a search found and visited, whichever algorithm ran."""

from typing import NamedTuple, Protocol

from marubatsu.engine.rules.position import Position

NO_LIMIT = 1 << 62


class Types(NamedTuple):
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


class Tally(NamedTuple):
    """The result of a search of one position.

    score  circle's view; None: the search has visited more nodes than it may
    nodes  as `docs/searches.md` counts them
    types  None for algorithms without windows
    """

    score: int | None
    nodes: int
    types: Types | None = None


class Technique(Protocol):
    """A search of a game, prepared for many positions; each search begins with nothing known."""

    def count(self, position: Position, limit: int = NO_LIMIT) -> Tally:
        """Search a position; after more than ``limit`` nodes there is no score."""
