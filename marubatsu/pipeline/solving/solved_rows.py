"""The rows of a solution, by ply and row group, in whatever form they are."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from marubatsu.engine.large.values import Values
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.parts import values_of
from marubatsu.pipeline.store.listed_files import is_part, part_file, ply_of_part, rows_of_part
from marubatsu.pipeline.store.manifest import Manifest
from marubatsu.pipeline.store.open_file import OpenFile
from marubatsu.pipeline.tables.solved_schemas import SOLUTION, VALUE_COUNTS

GROUP = SOLUTION.row_group
"""Rows of a row group, but for the last one of a ply."""


class SolvedRows(Protocol):
    """The rows of a solution in one of its forms."""

    @property
    def game(self) -> Game:
        """The game."""

    @property
    def rows(self) -> Sequence[int]:
        """By ply, up to the last that play reaches, how many rows it has."""

    @property
    def unfinished(self) -> int:
        """How many classes are unfinished positions."""

    @property
    def data_hash(self) -> str:
        """The hash of all rows in the complete form."""

    @property
    def fingerprint(self) -> str:
        """A hash that changes with every file."""

    def read(self, ply: int, group: int) -> Values:
        """Return the values of a row group of a ply. Raises DataError when a file is damaged."""


def read_rows(solution: SolvedRows, ply: int, first: int, rows: int) -> Values:
    """Return the values of whole row groups of a ply: so many rows from the first on."""
    groups = range(first // GROUP, -(-(first + rows) // GROUP))
    return np.concatenate([solution.read(ply, group) for group in groups])


class CompleteRows:
    """The rows in the parts of a solution; a part is opened when it is first needed."""

    def __init__(self, game: Game, manifest: Manifest, file_of: Callable[[str], OpenFile]) -> None:
        """Take the list of the files, and what opens them by their names."""
        self.game, self._manifest, self._file_of = game, manifest, file_of
        rows: Counter[int] = Counter()
        for name in filter(is_part, manifest.files):
            rows[ply_of_part(name)] += manifest.files[name].rows
        self.rows = [rows[ply] for ply in sorted(rows)]
        self._readers: dict[str, tuple[OpenFile, Any]] = {}

    @property
    def unfinished(self) -> int:
        """How many classes are unfinished positions."""
        counts = self._file_of(VALUE_COUNTS.file).rows(["distance", "classes"]).to_pylist()
        return sum(count["classes"] for count in counts if count["distance"])

    @property
    def data_hash(self) -> str:
        """The hash of all rows."""
        return self._manifest.data_hash

    @property
    def fingerprint(self) -> str:
        """The same: each file was made from these rows."""
        return self._manifest.data_hash

    def read(self, ply: int, group: int) -> Values:
        """Read and decode a row group."""
        number, place = divmod(group, rows_of_part(self.rows[ply]) // GROUP)
        name = part_file(ply, number)
        if name not in self._readers:  # The inner reader of a ParquetFile takes half the time.
            file = self._file_of(name)
            self._readers[name] = file, file.parquet().reader
        file, reader = self._readers[name]
        with file.reading():
            rows = reader.read_row_group(place, column_indices=[0], use_threads=False)
        return values_of(rows.column(0).chunk(0))
