"""The exact value of a position, narrowed by searches that ask for bounds of it."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from marubatsu.engine.kernels.exact_kernel import (
    NO_THREADS,
    NODES,
    RESULT,
    Stack,
    begin,
    copy_table,
    least_table,
    new_stack,
    new_table,
    search,
)
from marubatsu.engine.kernels.exact_layout import ExactTechniques, layout_of, masks_of
from marubatsu.engine.large.values import FAR, Bounds
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Status

SLICE = 1 << 19
"""Nodes after which a search reports its bounds: a fraction of a second."""

_ROUND = 1 << 17
"""The same for each of several threads: at its end, they wait for each other."""

_MOST_BUSY = 1 << 12

ALL = ExactTechniques()


class SharedTable:
    """The table of searches that threads do; it grows up to ``memory`` bytes."""

    def __init__(self, game: Game, memory: int) -> None:
        """Begin with a small one, which stays in the processor's caches while it is enough."""
        self.entries = new_table(least_table(layout_of(game)))
        self._most = (memory // 8).bit_length() - 1
        self._stacks: list[Stack] = []

    def join(self, stacks: Iterable[Stack]) -> bool:
        """Count the nodes of one more search; return whether it is the first.

        Only the first calls `grow`, so no two threads do.
        """
        is_first = not self._stacks
        self._stacks += stacks
        return is_first

    def grow(self) -> None:
        """Take a larger table when this one may be full: to make it takes time, too."""
        size = len(self.entries).bit_length() - 1
        if size < self._most and _nodes_of(self._stacks) > len(self.entries):
            larger = new_table(min(size + 2, self._most))
            copy_table(self.entries, larger)
            self.entries = larger


class ExactSearch:
    """A search of positions of a game, with one table for all of them.

    In one thread, the same positions in the same order visit the same nodes. More threads find the
    same values sooner.
    """

    def __init__(
        self,
        game: Game,
        *,
        memory: int | SharedTable,
        use: ExactTechniques = ALL,
        threads: int = 1,
        run: Callable[..., Iterable[Any]] = map,
    ) -> None:
        """Make room for a table of ``memory`` bytes, or join those that share one.

        ``run`` is like `map`, and calls the function in so many ``threads`` at the same time.
        Raises GameError for a game that is too large.
        """
        self.game, self._use = game, use
        self._layout = layout_of(game)
        self._table = memory if isinstance(memory, SharedTable) else SharedTable(game, memory)
        self._threads, self._run = threads, run
        self._slice = SLICE if threads == 1 else _ROUND
        self._stacks = self._new_stacks()
        self._grows = self._table.join(self._stacks)
        self._is_within_round, self._given_up = False, 0

    def _new_stacks(self) -> list[Stack]:
        busy = np.zeros(_MOST_BUSY, np.int64) if self._threads > 1 else NO_THREADS
        return [new_stack(self._layout, busy) for _ in range(self._threads)]

    @property
    def nodes(self) -> int:
        """Number of nodes visited so far, by all its threads."""
        return self._given_up + _nodes_of(self._stacks)

    def make_ready(self) -> None:
        """Load the compiled search; the first time on a machine it is compiled, for some seconds.

        Callers that limit the time of a search call this first, so that it is time to search.
        """
        begin(0, 0, 0, 0, 1, self._layout, self._stacks[0])
        self._search(0, self._stacks[0])

    def value(self, position: Position) -> int:
        """Return the value of a position, as `engine.large.values` writes it."""
        *_, bounds = self.narrow(position)
        return bounds.low

    def narrow(self, position: Position, bounds: Bounds | None = None) -> Iterator[Bounds]:
        """Yield bounds of a position's value, each at least as close as the one before.

        The first come at once, the last are exact. First they show who wins, then when. ``bounds``
        are those of an earlier search; where they exclude the value, the last ones are their
        nearer end. After another search has begun, do not go on with this one.
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
            if self._is_within_round:  # An error ended the last round, and threads may still run.
                self._given_up = self.nodes
                self._stacks = self._new_stacks()
                self._table.join(self._stacks)
            masks = masks_of(game, position)
            for stack in self._stacks:
                begin(*masks, position.ply, alpha, beta, self._layout, stack)
            while (result := self._go_on()) is None:
                if self._grows:
                    self._table.grow()
                yield Bounds(_away(low, far), _away(high, far))
            low, high = (
                min(max(low, result), high) if result > alpha else low,
                max(min(high, result), low) if result < beta else high,
            )
            yield Bounds(_away(low, far), _away(high, far))

    def _go_on(self) -> int | None:
        """Search a slice; return the result when a thread has it, and no thread runs any more."""
        self._is_within_round = True
        done = [*self._run(partial(self._search, self._slice), self._stacks)]
        self._is_within_round = False
        stacks = (stack for stack, is_done in zip(self._stacks, done, strict=True) if is_done)
        return next((int(stack.head[RESULT]) for stack in stacks), None)

    def _search(self, budget: int, stack: Stack) -> bool:
        table = self._table.entries
        nodes = min(budget, len(table) // 2)  # Then the table may have to grow.
        return search(*self._layout, self._use, stack, table, nodes)


def _nodes_of(stacks: Iterable[Stack]) -> int:
    return sum(int(stack.head[NODES]) for stack in stacks)


def _away(value: int, distance: int) -> int:
    """Return a value that is so much farther from 0; a draw stays where it is."""
    return value + distance if value > 0 else value - distance if value < 0 else 0
