"""The truth from the files of a solution.

The index gives the row of a position, and the row tells row group and place in it. A file is
hashed when it is first needed (some milliseconds), so damage is noticed before use. A row group is
read and decoded once for all positions of a batch, and then kept.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.index import Index, shuffled
from marubatsu.engine.large.values import NULL, distances
from marubatsu.engine.rules.masks import Bools, Ints, Masks, mask_dtype
from marubatsu.judge.oracle.oracle import Oracle, Values
from marubatsu.pipeline.solving.compact_file import open_rows
from marubatsu.pipeline.solving.solution_files import GROUP
from marubatsu.pipeline.tables.data_set import Solution

_REMEMBERED = (256 << 20) // GROUP  # row groups, decoded: 256 MiB, so all of 5x5k4-gravity
_AT_LEAST = 1000  # rows that a sample looks up together: play reaches not all of them


class SolutionClasses(NamedTuple):
    """N classes of a solution."""

    ply: Ints  # [N]
    row: Ints  # [N] of the index, in its ply


class SolutionOracle(Oracle):
    """The solution of a game, looked up by the index."""

    def __init__(self, solution: Solution) -> None:
        """Read the list of its files. Raises DataError when there is none."""
        super().__init__(solution.game)
        self._solution, self._index = solution, Index(solution.game)
        self.rows = open_rows(solution)
        self._first = np.full(solution.game.cells + 1, -1)
        """By ply, the number of its first row group, -1 where play reaches nothing."""
        groups = [-(-rows // GROUP) for rows in self.rows.rows]
        self._first[: len(groups)] = [0, *accumulate(groups[:-1])]
        self._group = lru_cache(_REMEMBERED)(self.rows.read)

    def __reduce__(self) -> tuple[Any, ...]:
        return SolutionOracle, (self._solution,)

    def values(self, circle: Masks, cross: Masks) -> Values:
        ply = np.bitwise_count(circle | cross)
        values = np.full(len(ply), NULL)
        at = np.flatnonzero(self._is_numbered(circle, cross))
        values[at] = self._values(ply[at], self._index.of(circle[at], cross[at]))
        distance = distances(values, self.game.cells - ply.astype(np.int8))
        return Values(np.sign(values), distance, values != NULL)

    def _values(self, ply: Ints, row: Ints) -> NDArray[np.int8]:
        """Look up rows of plies that play reaches; each row group is read once."""
        group, place = np.divmod(row, GROUP)
        number = self._first[ply] + group
        order = np.argsort(number, kind="stable")
        values = np.empty(len(order), np.int8)
        starts = np.flatnonzero(np.diff(number[order], prepend=-1)).tolist()
        for start, end in pairwise([*starts, len(order)]):
            here = order[start:end]
            values[here] = self._group(int(ply[here[0]]), int(group[here[0]]))[place[here]]
        return values

    def _is_numbered(self, circle: Masks, cross: Masks) -> Bools:
        """Return which positions have a row: the sides take turns, and no mark floats."""
        game, occupied = self.game, circle | cross
        ply = np.bitwise_count(occupied)
        is_numbered: Bools = (np.bitwise_count(circle) == ply - ply // 2) & (self._first[ply] >= 0)
        if game.gravity:
            floor = game.full & ~(game.full >> game.columns)
            is_numbered &= occupied & ~(occupied >> game.columns | floor) == 0
        return is_numbered

    def facts(self, circle: Masks, cross: Masks) -> dict[str, list[Any]]:
        return {"key": self._index.of(circle, cross).tolist(), **super().facts(circle, cross)}

    def masks(self, classes: SolutionClasses) -> tuple[Masks, Masks]:
        """Return the masks of circle and of cross of the member that shows each class."""
        circle, cross = np.empty((2, len(classes.row)), mask_dtype(self.game))
        for ply in np.unique(classes.ply).tolist():
            here = classes.ply == ply
            circle[here], cross[here] = self._index.masks(ply, classes.row[here])
        return circle, cross

    def unfinished(self, batch: int) -> Iterator[SolutionClasses]:
        """Yield all classes of unfinished positions, by ply and row, in batches."""
        gathered: list[SolutionClasses] = []
        for ply, count in enumerate(self.rows.rows):
            for group in range(-(-count // GROUP)):
                rows = self._left(self.rows.read(ply, group), ply) + group * GROUP
                gathered.append(SolutionClasses(np.full(len(rows), ply, np.int8), rows))
                if sum(len(classes.row) for classes in gathered) >= batch:
                    yield _joined(gathered)
                    gathered = []
        if gathered:
            yield _joined(gathered)

    def drawn(
        self, size: int, seed: int, progress: Callable[[float], None] = lambda share: None
    ) -> SolutionClasses:
        """Draw so many classes of unfinished positions, all when there are fewer, by ply and row.

        They are the first ones in an order of all rows that the seed gives, so a larger sample
        holds a smaller one.
        """
        before = np.cumsum([0, *self.rows.rows])
        gathered: list[SolutionClasses] = []
        missing = size
        for number in shuffled(int(before[-1]), seed, size + _AT_LEAST):
            at = np.searchsorted(before, number, "right") - 1
            row = number - before[at]
            left = self._left(self._values(at, row), at)[:missing]
            gathered.append(SolutionClasses(at[left], row[left]))
            missing -= len(left)
            if not missing:
                break
            progress(1 - missing / size)
        drawn = _joined(gathered)
        order = np.lexsort((drawn.row, drawn.ply))
        return SolutionClasses(drawn.ply[order], drawn.row[order])

    def _left(self, values: Ints, ply: Ints | int) -> Ints:
        return np.flatnonzero((values != NULL) & (distances(values, self.game.cells - ply) > 0))


def _joined(classes: list[SolutionClasses]) -> SolutionClasses:
    return SolutionClasses(*map(np.concatenate, zip(*classes, strict=True)))
