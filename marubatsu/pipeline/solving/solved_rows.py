"""The rows of a solution, by ply and row group, in whatever form they are; the raw file of them."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, Protocol

import numpy as np

from marubatsu.engine.large.index import Index
from marubatsu.engine.large.values import Values
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.parts import values_of
from marubatsu.pipeline.tables.manifest import (
    Manifest,
    is_part,
    part_file,
    ply_of_part,
    rows_of_part,
)
from marubatsu.pipeline.tables.open_file import OpenFile
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
        self.game, self._file_of = game, file_of
        rows: Counter[int] = Counter()
        for name in filter(is_part, manifest.files):
            rows[ply_of_part(name)] += manifest.files[name].rows
        self.rows = [rows[ply] for ply in sorted(rows)]
        self.data_hash = self.fingerprint = manifest.data_hash  # Each file was made from the rows.
        self._readers: dict[str, tuple[OpenFile, Any]] = {}

    @property
    def unfinished(self) -> int:
        """How many classes are unfinished positions."""
        counts = self._file_of(VALUE_COUNTS.file).rows(["distance", "classes"]).to_pylist()
        return sum(count["classes"] for count in counts if count["distance"])

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


def write_raw(solution: SolvedRows, out: BinaryIO, progress: Callable[[float], None]) -> None:
    """Write the raw file of a solution: lines of text, then bytes that need no library to be read.

    ::

        marubatsu raw 1
        game 3x2k2
        order 0 1 2 3 4 5
        ply 0 blocks 1 rows 1
        ply 1 blocks 2 rows 2

    ``order`` has the cell at each place. The plies follow, and an empty line. Then each ply has the
    masks of its blocks, in cells, as 64 bits with the lowest byte first, and a byte for the value
    of each row; 127 means null. `engine.large.index` explains places, blocks and rows, and
    `engine.large.values` the values. Raises DamagedError when a file is damaged.
    """
    index, written = Index(solution.game), 0
    lines = [
        f"ply {ply} blocks {len(index.blocks(ply))} rows {rows}\n"
        for ply, rows in enumerate(solution.rows)
    ]
    out.write("".join([first_lines("raw", 1, index), *lines, "\n"]).encode("ascii"))
    for ply, rows in enumerate(solution.rows):
        out.write(index.blocks(ply).astype("<u8").tobytes())
        for group in range(-(-rows // GROUP)):
            values = solution.read(ply, group)
            out.write(np.ascontiguousarray(values).data)
            written += len(values)
            progress(written / sum(solution.rows))


def first_lines(form: str, version: int, index: Index) -> str:
    """Return the lines with which a file begins that has a solution in some form."""
    order = " ".join(map(str, index.order))
    return f"marubatsu {form} {version}\ngame {index.game.notation}\norder {order}\n"
