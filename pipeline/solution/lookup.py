"""Answers about single positions, from the files of a solution.

A part is hashed when it is first needed (some megabytes, some milliseconds), so damage is found
before use. After that, only row groups are read whose range of keys contains the key.
"""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from marubatsu.engine.large.keys import Keys
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.position import Position
from marubatsu.pipeline.store.data_set import Solution, not_built
from marubatsu.pipeline.store.integrity import damage
from marubatsu.pipeline.store.manifest import Manifest
from marubatsu.pipeline.support.errors import DataError, UsageError

_REMEMBERED = 64
"""Row groups that are kept decoded, about 80 kB each."""


class Row(NamedTuple):
    """The values of a class, from the view of the side to move."""

    key: int
    score_mover: int
    distance: int


class ClassMove(NamedTuple):
    """A legal move, from the view of the side that makes it."""

    move: int
    after: Position
    score_mover: int
    distance: int  # plies to the end after this one
    loss: int  # how much worse than the best score
    is_fastest: bool  # a best move that wins soonest or loses latest


class Lookup:
    """An open solution."""

    def __init__(self, solution: Solution, manifest: Manifest) -> None:
        """See `open_lookup`."""
        self._solution, self._manifest = solution, manifest
        self.keys = Keys(solution.game)
        self._parts: dict[int, list[str]] = {}
        for name in sorted(manifest.files):
            self._parts.setdefault(int(name[4:6]), []).append(name)
        self._files: dict[str, _File] = {}
        self._groups: OrderedDict[tuple[str, int], list[NDArray[np.int64]]] = OrderedDict()

    def row(self, position: Position) -> Row:
        """Return what the solution holds about a position.

        Raises UsageError when no game reaches it, DataError when a file is damaged.
        """
        row = self._row(position.ply, self.keys.class_key(position))
        if row is None:
            board = to_text(self.keys.game, position)
            raise UsageError(f"no game of {self.keys.game.name} reaches {board!r}")
        return row

    def _row(self, ply: int, key: int) -> Row | None:
        for name in reversed(self._parts.get(ply, [])):
            file = self._open(name)
            if file[0] <= key:
                keys, scores_mover, distances = self._group(name, bisect_right(file, key) - 1)
                at = int(keys.searchsorted(key))
                if at < keys.size and keys[at] == key:
                    return Row(key, int(scores_mover[at]), int(distances[at]))
                break
        return None

    def moves(self, position: Position) -> list[ClassMove]:
        """Return the legal moves of a position, best first. Raises as `row` does."""
        game, found = self.keys.game, []
        cells = game.legal_moves(position)
        for cell, key in zip(cells, self.keys.class_keys_after(position, cells), strict=True):
            after = position.after(cell)
            row = self._row(after.ply, key) or self.row(after)
            found.append((cell, after, -row.score_mover, row.distance))
        best = max((score_mover for *_, score_mover, _ in found), default=0)
        fastest = max((_speed(*move[2:]) for move in found if move[2] == best), default=0)
        moves = [
            ClassMove(*move, best - move[2], move[2] == best and _speed(*move[2:]) == fastest)
            for move in found
        ]
        return sorted(moves, key=lambda m: (m.loss, -_speed(m.score_mover, m.distance), m.move))

    def _open(self, name: str) -> "_File":
        if name not in self._files:
            for problem in damage(self._solution, name, self._manifest.files[name]):
                raise DataError(f"{problem}; {self._solution.cure}")
            self._files[name] = _File(self._solution.path(name))
        return self._files[name]

    def _group(self, name: str, group: int) -> list[NDArray[np.int64]]:
        """Return the columns of a row group that `Row` has."""
        at = name, group
        if at not in self._groups:
            self._groups[at] = self._open(name).read(group)
            if len(self._groups) > _REMEMBERED:
                self._groups.popitem(last=False)
        self._groups.move_to_end(at)
        return self._groups[at]


class _File(Sequence[int]):
    """A part: the first key of each of its row groups, and their columns."""

    def __init__(self, path: Path) -> None:
        file = pq.ParquetFile(path, memory_map=True)
        self._file = file
        self._columns = [file.schema_arrow.get_field_index(name) for name in Row._fields]

    def __len__(self) -> int:
        return int(self._file.num_row_groups)

    def __getitem__(self, group: Any) -> Any:
        statistics = self._file.metadata.row_group(group).column(self._columns[0]).statistics
        return statistics.min if statistics else 0

    def read(self, group: int) -> list[NDArray[np.int64]]:
        """Read a row group from the inner reader of ParquetFile, which takes half the time."""
        rows = self._file.reader.read_row_group(
            group, column_indices=self._columns, use_threads=False
        )
        return [column.to_numpy() for column in rows.columns]


@contextmanager
def open_lookup(solution: Solution, on_wait: Callable[[], None]) -> Iterator[Lookup]:
    """Open a solution, locked against solvers. Raises DataError when there is none."""
    with solution.lock(write=False, on_wait=on_wait):
        manifest = solution.manifest()
        if manifest is None:
            raise not_built(solution)
        yield Lookup(solution, manifest)


def _speed(score_mover: int, distance: int) -> int:
    """Rate a distance among equal scores: a sooner win or a later loss is greater."""
    return -score_mover * distance
