"""The truth from the files of a solution.

A part is hashed when it is first needed (some megabytes, some milliseconds), so damage is found
before use. After that, only row groups are read whose range of keys contains a key in question,
each once for all positions of a batch.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from marubatsu.engine.large.class_keys import ClassKeys
from marubatsu.engine.rules.masks import Bools, Ints, Masks
from marubatsu.engine.rules.position import Position
from marubatsu.pipeline.oracle.arrays import numbers
from marubatsu.pipeline.oracle.oracle import Oracle, Values
from marubatsu.pipeline.stages.staleness import tell_stale
from marubatsu.pipeline.store.data_set import Solution, not_built
from marubatsu.pipeline.store.integrity import hold
from marubatsu.pipeline.store.manifest import Manifest, ply_of

_COLUMNS = ("key", "score_mover", "distance")
_REMEMBERED = 64
"""Row groups that are kept decoded, about 80 kB each."""


class SolutionOracle(Oracle):
    """The solution of a game, searched by the keys of classes."""

    def __init__(self, solution: Solution, on_wait: Callable[[], None]) -> None:
        """Read the list of its files. Raises DataError when there is none."""
        super().__init__(solution.game)
        with solution.lock(write=False, on_wait=on_wait):
            manifest = solution.manifest()
        if manifest is None:
            raise not_built(solution)
        tell_stale(solution, manifest, manifest.files)
        self._keys = ClassKeys(solution.game)
        self._plies: dict[int, list[_Part]] = {}
        for name in sorted(manifest.files):
            part = _Part(solution, manifest, name)
            self._plies.setdefault(ply_of(name), []).append(part)
        self._groups: OrderedDict[tuple[_Part, int], list[NDArray[Any]]] = OrderedDict()

    def values(self, circle: Masks, cross: Masks) -> Values:
        """Look up positions by the keys of their classes."""
        occupied = circle | cross
        score_mover, distance = np.zeros((2, len(occupied)), np.int8)
        found = Values(score_mover, distance, np.zeros(len(occupied), np.bool_))
        keys, ply = self._keys.of(circle, cross), np.bitwise_count(occupied)
        order = np.lexsort((keys, ply))
        for number in np.unique(ply).tolist():
            at = order[ply[order] == number]
            self._look_up(self._plies.get(number, []), keys[at], at, found)
        found.is_known[self._floats(occupied)] = False
        return found

    def _look_up(self, parts: "list[_Part]", keys: Ints, at: Ints, found: Values) -> None:
        """Look up ascending keys in the parts of a ply, and put what is found at ``at``."""
        if not parts or not len(keys):
            return
        if len(parts) > 1:
            middle = len(parts) // 2
            cut = int(keys.searchsorted(parts[middle].first_keys[0]))
            self._look_up(parts[:middle], keys[:cut], at[:cut], found)
            self._look_up(parts[middle:], keys[cut:], at[cut:], found)
            return
        (part,) = parts
        groups = np.maximum(part.first_keys.searchsorted(keys, side="right") - 1, 0)
        numbers, starts = np.unique(groups, return_index=True)
        ends = [*starts[1:].tolist(), len(keys)]
        for number, start, end in zip(numbers.tolist(), starts.tolist(), ends, strict=True):
            known, score_mover, distance = self._group(part, number)
            goal = at[start:end]
            row = np.minimum(known.searchsorted(keys[start:end]), len(known) - 1)
            found.score_mover[goal] = score_mover[row]
            found.distance[goal] = distance[row]
            found.is_known[goal] = known[row] == keys[start:end]

    def _group(self, part: "_Part", number: int) -> list[NDArray[Any]]:
        """Return the columns of a row group."""
        at = part, number
        if at not in self._groups:
            self._groups[at] = part.read(number)
            if len(self._groups) > _REMEMBERED:
                self._groups.popitem(last=False)
        self._groups.move_to_end(at)
        return self._groups[at]

    def facts(self, circle: Masks, cross: Masks) -> dict[str, list[Any]]:
        """Return the keys of the classes, and the numbers of their members."""
        positions = map(Position, circle.tolist(), cross.tolist())
        images = [self._keys.keys.images(position) for position in positions]
        return {"key": list(map(min, images)), "orbit": [len(set(each)) for each in images]}

    def unfinished(self, batch: int) -> Iterator[Ints]:
        """Yield the keys of all classes of unfinished positions, by ply, in batches."""
        gathered: list[Ints] = []
        for part in (part for parts in self._plies.values() for part in parts):
            for number in range(len(part.first_keys)):
                keys, _, distance = part.read(number)
                gathered.append(keys[distance > 0])
                if sum(map(len, gathered)) >= batch:
                    yield np.concatenate(gathered)
                    gathered = []
        if gathered:
            yield np.concatenate(gathered)

    def _floats(self, occupied: Masks) -> Bools:
        """Return where a mark has nothing below it: such a board may have the key of another."""
        game = self.game
        if not game.gravity:
            return np.zeros(len(occupied), np.bool_)
        floor = game.full & ~(game.full >> game.columns)
        floats: Bools = (occupied & ~(occupied >> game.columns | floor)) != 0
        return floats


class _Part:
    """A file of a solution; it is opened when it is first needed."""

    def __init__(self, solution: Solution, manifest: Manifest, name: str) -> None:
        self._solution, self._manifest, self._name = solution, manifest, name

    @cached_property
    def _file(self) -> pq.ParquetFile:
        return pq.ParquetFile(hold(self._solution, self._manifest, self._name).open())

    @cached_property
    def _columns(self) -> list[int]:
        return [self._file.schema_arrow.get_field_index(name) for name in _COLUMNS]

    @cached_property
    def first_keys(self) -> Ints:
        """The first key of each row group."""
        metadata, key = self._file.metadata, self._columns[0]
        found = (metadata.row_group(i).column(key) for i in range(metadata.num_row_groups))
        return np.array([column.statistics.min for column in found], np.int64)

    def read(self, group: int) -> list[NDArray[Any]]:
        """Read a row group from the inner reader of ParquetFile, which takes half the time."""
        rows = self._file.reader.read_row_group(
            group, column_indices=self._columns, use_threads=False
        )
        return list(map(numbers, rows.columns))
