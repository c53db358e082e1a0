"""The truth from the files of a solution.

The index gives the row of a position, and the row tells part, row group and place in it. A part is
hashed when it is first needed (some milliseconds), so damage is noticed before use. A row group is
read and decoded once for all positions of a batch, and then kept.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.index import Index
from marubatsu.engine.large.row_order import shuffled
from marubatsu.engine.large.values import NULL, distances, scores_mover
from marubatsu.engine.rules.masks import Bools, Ints, Masks, mask_dtype
from marubatsu.engine.rules.position import Position
from marubatsu.engine.rules.symmetry import orbit
from marubatsu.judge.oracle.oracle import Oracle, Values
from marubatsu.pipeline.solving.parts import values_of
from marubatsu.pipeline.stages.staleness import tell_stale
from marubatsu.pipeline.store.data_set import Solution, not_built
from marubatsu.pipeline.store.integrity import open_listed
from marubatsu.pipeline.store.listed_files import is_part, ply_of_part
from marubatsu.pipeline.store.manifest import Manifest
from marubatsu.pipeline.store.open_file import OpenFile
from marubatsu.pipeline.tables.solved_schemas import SOLUTION

_GROUP = SOLUTION.row_group
_REMEMBERED = (256 << 20) // _GROUP
"""Row groups that are kept decoded, a byte a row: 256 MiB at most, so all of 5x5k4-gravity."""

_AT_LEAST = 1000
"""Rows that a sample looks up together, and more for a larger one: play reaches not all of them."""


class SolutionClasses(NamedTuple):
    """N classes of a solution."""

    ply: Ints  # [N]
    row: Ints  # [N] of the index, in its ply


class SolutionOracle(Oracle):
    """The solution of a game, looked up by the index."""

    def __init__(self, solution: Solution, on_wait: Callable[[], None]) -> None:
        """Read the list of its files. Raises DataError when there is none."""
        super().__init__(solution.game)
        with solution.lock(write=False, on_wait=on_wait):
            manifest = solution.manifest()
        if manifest is None:
            raise not_built(solution)
        tell_stale(solution, manifest, manifest.files)
        self._index = Index(solution.game)
        self._groups = _Groups(solution, manifest)
        self._first = np.full(solution.game.cells + 1, -1)
        """By ply, the number of its first row group, -1 where play reaches nothing."""
        plies, parts = np.unique([part.ply for part in self._groups.parts], return_index=True)
        self._first[plies] = np.take(self._groups.before, parts)
        self._group = lru_cache(_REMEMBERED)(self._groups.read)

    def values(self, circle: Masks, cross: Masks) -> Values:
        """Look up positions by the rows of their classes."""
        ply = np.bitwise_count(circle | cross)
        values = np.full(len(ply), NULL)
        at = np.flatnonzero(self._is_numbered(circle, cross))
        values[at] = self._values(ply[at], self._index.of(circle[at], cross[at]))
        distance = distances(values, self.game.cells - ply.astype(np.int8))
        return Values(scores_mover(values), distance, values != NULL)

    def _values(self, ply: Ints, row: Ints) -> NDArray[np.int8]:
        """Look up rows of plies that play reaches; each row group is read once."""
        group = self._first[ply] + row // _GROUP
        order = np.argsort(group, kind="stable")
        place, group = (row % _GROUP)[order], group[order]
        values = np.empty(len(order), np.int8)
        starts = np.flatnonzero(np.diff(group, prepend=-1)).tolist()
        for start, end in pairwise([*starts, len(order)]):
            here = slice(start, end)
            values[order[here]] = self._group(int(group[start]))[place[here]]
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
        """Return the rows of the classes, and the numbers of their members."""
        positions = map(Position, circle.tolist(), cross.tolist())
        return {
            "key": self._index.of(circle, cross).tolist(),
            "orbit": [len(orbit(self.game, position)) for position in positions],
        }

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
        groups = self._groups
        for part, (begin, end) in zip(groups.parts, pairwise(groups.before), strict=True):
            for group in range(begin, end):
                values = groups.read(group)
                rows = self._left(values, part.ply) + (group - self._first[part.ply]) * _GROUP
                gathered.append(SolutionClasses(np.full(len(rows), part.ply, np.int8), rows))
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
        plies = np.flatnonzero(self._first[:-1] >= 0)
        before = np.cumsum([0, *(self._index.shape(ply).rows for ply in plies.tolist())])
        gathered: list[SolutionClasses] = []
        missing = size
        for number in shuffled(int(before[-1]), seed, size + _AT_LEAST):
            at = np.searchsorted(before, number, "right") - 1
            ply, row = plies[at], number - before[at]
            left = self._left(self._values(ply, row), ply)[:missing]
            gathered.append(SolutionClasses(ply[left], row[left]))
            missing -= len(left)
            if not missing:
                break
            progress(1 - missing / size)
        drawn = _joined(gathered)
        order = np.lexsort((drawn.row, drawn.ply))
        return SolutionClasses(drawn.ply[order], drawn.row[order])

    def _left(self, values: Ints, ply: Ints | int) -> Ints:
        """Return the places of the values of unfinished positions."""
        return np.flatnonzero((values != NULL) & (distances(values, self.game.cells - ply) > 0))


def _joined(classes: list[SolutionClasses]) -> SolutionClasses:
    return SolutionClasses(*map(np.concatenate, zip(*classes, strict=True)))


class _Groups:
    """The row groups of a solution, numbered through all its parts."""

    def __init__(self, solution: Solution, manifest: Manifest) -> None:
        names = sorted(filter(is_part, manifest.files))
        self.parts = [_Part(solution, manifest, name) for name in names]
        self.before = [0, *accumulate(part.groups for part in self.parts)]
        """By part, the row groups of the parts before it; at the end those of all."""

    def read(self, number: int) -> NDArray[np.int8]:
        """Read and decode a row group."""
        part = bisect_right(self.before, number) - 1
        return self.parts[part].read(number - self.before[part])


class _Part:
    """A file of a solution; it is opened when it is first needed."""

    def __init__(self, solution: Solution, manifest: Manifest, name: str) -> None:
        self._solution, self._manifest, self._name = solution, manifest, name
        self.ply = ply_of_part(name)

    @property
    def groups(self) -> int:
        """The number of row groups."""
        return -(-self._manifest.files[self._name].rows // _GROUP)

    def read(self, group: int) -> NDArray[np.int8]:
        """Read and decode a row group."""
        file, reader = self._open
        with file.reading():
            rows = reader.read_row_group(group, column_indices=[0], use_threads=False)
        return values_of(rows.column(0).chunk(0))

    @cached_property
    def _open(self) -> tuple[OpenFile, Any]:
        """The file, and the inner reader of its ParquetFile, which takes half the time."""
        file = open_listed(self._solution, self._manifest, self._name)
        return file, file.parquet().reader
