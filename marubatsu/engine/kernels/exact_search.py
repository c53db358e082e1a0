"""The exact value of a position, narrowed by searches that ask for bounds of it."""

from collections.abc import Iterator

from marubatsu.engine.kernels.exact_layout import layout_of, masks_of
from marubatsu.engine.kernels.null_window import (
    MIN_TABLE,
    NODES,
    RESULT,
    begin,
    copy_table,
    new_stack,
    new_table,
    search,
)
from marubatsu.engine.kernels.techniques import Techniques
from marubatsu.engine.large.values import FAR, Bounds
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Status

SLICE = 1 << 19
"""Nodes after which a search tells what it knows: a fraction of a second."""

ALL = Techniques()


class ExactSearch:
    """A search of positions of a game, with one table for all of them.

    The same positions in the same order visit the same nodes. Raises GameError for a game that is
    too large.
    """

    def __init__(self, game: Game, *, memory: int, use: Techniques = ALL) -> None:
        """Make room; the table grows up to ``memory`` bytes, a power of two, 16 MiB at least."""
        self.game, self._use = game, use
        self._layout = layout_of(game)
        self._most = (memory // 8).bit_length() - 1
        self._table = new_table(MIN_TABLE)
        self._stack = new_stack(self._layout)

    @property
    def nodes(self) -> int:
        """Number of nodes visited so far."""
        return int(self._stack.head[NODES])

    def make_ready(self) -> None:
        """Load the compiled search; the first time on a machine it is compiled, for some seconds.

        Whoever limits the time of a search calls this first, so that it is time to search.
        """
        begin(0, 0, 0, 0, 1, self._layout, self._stack)
        search(self._layout, self._use, self._stack, self._table, 0)

    def value(self, position: Position) -> int:
        """Return the value of a position, as `engine.large.values` writes it."""
        *_, bounds = self.narrow(position)
        return bounds.low

    def narrow(self, position: Position, bounds: Bounds | None = None) -> Iterator[Bounds]:
        """Yield bounds of a position's value, each at least as close as the one before.

        The first come at once, the last are exact. First they tell who wins, then when. ``bounds``
        are those of an earlier search. Whoever begins another search must not go on with this one.
        """
        game, left = self.game, self.game.cells - position.ply
        status = game.status(position)
        if status is not Status.PLAYING:
            value = FAR * position.turn.sign * status.score
            yield Bounds(value, value)
            return
        far = FAR - 1 - left  # Between a value and the search's own, which counts from the end.
        low, high = (_away(end, -far) for end in bounds or (-FAR, FAR))
        low, high = max(low, -left), min(high, left)
        yield Bounds(_away(low, far), _away(high, far))
        while low < high:
            alpha, beta = low - 1, high + 1
            if self._use.window:
                # Is it a win? At least a draw? Then: does it end any sooner than is known?
                beta = 1 if low <= 0 < high else low + 1 if low > 0 else high
                alpha = beta - 1
            masks = masks_of(game, position)
            begin(*masks, position.ply, alpha, beta, self._layout, self._stack)
            while not search(self._layout, self._use, self._stack, self._table, SLICE):
                self._grow()
                yield Bounds(_away(low, far), _away(high, far))
            result = int(self._stack.head[RESULT])
            low = max(low, result) if result > alpha else low
            high = min(high, result) if result < beta else high
            yield Bounds(_away(low, far), _away(high, far))

    def _grow(self) -> None:
        """Take a larger table when this one may be full: to make it takes time, too."""
        size = len(self._table).bit_length() - 1
        if size < self._most and self.nodes > len(self._table):
            larger = new_table(min(size + 2, self._most))
            copy_table(self._table, larger)
            self._table = larger


def _away(value: int, distance: int) -> int:
    """Return a value that is so much farther from 0; a draw stays where it is."""
    return value + distance if value > 0 else value - distance if value < 0 else 0
