"""An out-of-core sorter: keys in any order, with duplicates, become ascending, each once.

Keys come as *runs*, each ascending without duplicates. Runs stay in memory while they fit; then
they are merged into one run on disk. At the end all runs are cut at the same keys into pieces of
about equal size. Each piece is merged by itself: gathered, sorted, duplicates removed.
Every run keeps a sample of its keys (one in 1,024), which determines where to cut.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import numpy as np

from marubatsu.engine.large.kernels import Ints, unique
from marubatsu.pipeline.solving.key_file import KeyFile, KeyWriter
from marubatsu.pipeline.solving.threads import Workers

_PIECE = 1 << 20  # keys that are merged at a time
_REMEMBERED = 1024


class _Held:
    """A run in memory."""

    def __init__(self, keys: Ints) -> None:
        self._keys = keys
        self.count = keys.size
        self.sample = keys[::_REMEMBERED].copy()

    def read(self, first: int, last: int) -> Ints:
        return self._keys[first:last]

    def cut(self, edges: Ints) -> list[int]:
        """Return the first row whose key reaches each edge, and both ends."""
        return [0, *np.searchsorted(self._keys, edges).tolist(), self.count]


class _Spilled:
    """A run on disk."""

    def __init__(self, file: KeyFile, sample: Ints) -> None:
        self.read = file.read
        self.count = file.count
        self.sample = sample

    def cut(self, edges: Ints) -> list[int]:
        return [0, *map(self._reach, edges), self.count]

    def _reach(self, edge: int) -> int:
        # The first key that reaches the edge comes after the last sampled key below it.
        first = max(int(np.searchsorted(self.sample, edge)) - 1, 0) * _REMEMBERED
        near = self.read(first, min(first + _REMEMBERED + 1, self.count))
        return first + int(np.searchsorted(near, edge))


class Sorter:
    """A sorter that takes runs and yields all their keys in ascending order."""

    def __init__(self, workers: Workers, folder: Path, memory: int) -> None:
        """Keep up to ``memory`` bytes of keys in memory, and the others in files of a folder."""
        self._workers = workers
        self._folder = folder
        self._most = max(memory // 8, 2 * _PIECE)
        self._names = count()
        self._spilled: list[_Spilled] = []
        self._held: list[_Held] = []
        self._holding = 0

    def add(self, keys: Ints) -> None:
        """Add a run. Raises OSError when it must go to disk and the write fails."""
        self._held.append(_Held(keys))
        self._holding += keys.size
        if self._holding > self._most:
            self._spill()

    def merged(self) -> Iterator[Ints]:
        """Yield all keys in ascending order, in non-empty pieces."""
        yield from self._merge([*self._spilled, *self._held])

    def _spill(self) -> None:
        with KeyWriter(self._folder / f"run-{next(self._names)}.keys") as writer:
            samples = []
            for keys in self._merge(self._held):
                samples.append(keys[-writer.count % _REMEMBERED :: _REMEMBERED])
                writer.append(keys)
        self._spilled.append(_Spilled(writer.file, np.concatenate(samples)))
        self._held.clear()
        self._holding = 0

    def _merge(self, runs: Sequence[_Held | _Spilled]) -> Iterator[Ints]:
        total = sum(run.count for run in runs)
        if not total:
            return
        sample = np.sort(np.concatenate([run.sample for run in runs]))
        at = np.linspace(0, sample.size, total // _PIECE + 1, endpoint=False, dtype=np.int64)
        edges = np.unique(sample[at[1:]])
        cuts = [run.cut(edges) for run in runs]

        def gather(piece: int) -> Ints:
            keys = np.concatenate(
                [run.read(cut[piece], cut[piece + 1]) for run, cut in zip(runs, cuts, strict=True)]
            )
            keys.sort()
            return keys[: unique(keys)]

        for keys in self._workers.map(gather, range(edges.size + 1)):
            if keys.size:
                yield keys
