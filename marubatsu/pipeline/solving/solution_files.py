"""The files of a solution: how rows become parts, counts and the raw file, and are read again.

An unfinished solution is in ``solution.partial/`` next to it, with a journal. At the end the folder
is renamed, so a solution is either complete or absent.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, BinaryIO, Protocol

import numpy as np

from marubatsu.engine.large.index import Index
from marubatsu.engine.large.values import NULL, Values, distances
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.stages.staleness import VERSION
from marubatsu.pipeline.stages.usable import open_listed
from marubatsu.pipeline.tables.data_set import DataSet, Solution, not_built
from marubatsu.pipeline.tables.manifest import Entry, Manifest, entry_of, is_part
from marubatsu.pipeline.tables.open_file import OpenFile
from marubatsu.pipeline.tables.parquet import Encoded, bits_of, encode
from marubatsu.pipeline.tables.schemas import Columns, Nullable, Table
from marubatsu.pipeline.tables.solution_parts import part_file, parts, ply_of_part, rows_of_part
from marubatsu.pipeline.tables.solved_schemas import BLOCKS, SOLUTION, VALUE_COUNTS

ValueCount = tuple[int, int, int]
"""A value, and how many classes and positions have it."""


def encode_part(game: Game, values: Values) -> Encoded:
    """Encode a part; `NULL` becomes null."""
    return encode(SOLUTION, game, {"value": Nullable(values, values == NULL)})


def write_part(goal: DataSet, ply: int, number: int, values: Values) -> tuple[str, Entry]:
    """Write and sync a part; return its name and its entry for the manifest."""
    return _write(goal, part_file(ply, number), encode_part(goal.game, values))


def write_blocks(goal: DataSet, index: Index, plies: Iterable[int]) -> tuple[str, Entry]:
    """Write the blocks of some plies; return the name of the file and its entry."""
    masks = {ply: index.blocks(ply) for ply in sorted(plies)}
    columns = {
        "ply": np.repeat(list(masks), list(map(len, masks.values()))),
        "block": np.concatenate([np.arange(len(each)) for each in masks.values()]),
        "mask": np.concatenate(list(masks.values())),
    }
    return _write_table(goal, BLOCKS, columns)


def write_value_counts(
    goal: DataSet, counts: Mapping[int, Iterable[ValueCount]]
) -> tuple[str, Entry]:
    """Write how many classes of each ply have which value; return the file and its entry."""
    rows = [(ply, *count) for ply in sorted(counts) for count in counts[ply]]
    ply, value, classes, positions = np.array(rows, np.int64).T
    score_mover, distance = np.sign(value), distances(value, goal.game.cells - ply)
    order = np.lexsort((distance, score_mover, ply))
    columns = {
        "ply": ply,
        "score_mover": score_mover,
        "distance": distance,
        "classes": classes,
        "positions": positions,
    }
    return _write_table(
        goal, VALUE_COUNTS, {name: column[order] for name, column in columns.items()}
    )


def _write_table(goal: DataSet, table: Table, columns: Columns) -> tuple[str, Entry]:
    return _write(goal, table.file, encode(table, goal.game, columns))


def _write(goal: DataSet, file: str, encoded: Encoded) -> tuple[str, Entry]:
    goal.write(file, memoryview(encoded.data))
    return file, entry_of(encoded, VERSION, {})


def read_values(source: Any) -> Values:
    """Read the values of a part from its path or an open file."""
    import pyarrow.parquet as pq

    return values_of(pq.ParquetFile(source).read(use_threads=False)["value"].combine_chunks())


def read_value_counts(solution: Solution) -> Any:
    """Read how many classes and positions have which value, as an Arrow table.

    Raises DataError when the file is missing or damaged.
    """
    manifest = solution.manifest()
    if manifest is None or VALUE_COUNTS.file not in manifest.files:
        raise not_built(solution)
    return open_listed(solution, manifest, VALUE_COUNTS.file).rows()


def values_of(column: Any) -> Values:
    """Return values from a column of a part, an Arrow array in one piece; null becomes `NULL`."""
    validity, data = column.buffers()
    values: Values = np.frombuffer(data, np.int8, len(column), column.offset)
    if validity is None or not column.null_count:
        return values
    return np.where(bits_of(validity, column), values, NULL)


def rows_of_blocks(size: int, most: int) -> int:
    """Return the rows of whole blocks of ``size``: ``most`` rows at most, but one block."""
    return size * max(1, most // size)


def joined_rows(rows: int, first: int, last: int, read: Callable[[int], Values]) -> Values:
    """Return the rows from ``first`` to before ``last`` of a ply that has so many ``rows``.

    ``read`` returns one of its parts, by number.
    """
    values = np.empty(last - first, np.int8)
    for number, begin, end in parts(rows):
        if begin < last and first < end:
            low, high = max(first, begin), min(last, end)
            values[low - first : high - first] = read(number)[low - begin : high - begin]
    return values


def publish(unfinished: DataSet, solution: DataSet) -> None:
    """Replace the old solution by a finished one. The caller holds both locks."""
    replaced = solution.folder.with_name("solution.replaced.partial")
    shutil.rmtree(replaced, ignore_errors=True)
    if solution.folder.exists():
        solution.folder.rename(replaced)
    unfinished.folder.rename(solution.folder)
    shutil.rmtree(replaced, ignore_errors=True)


GROUP = SOLUTION.row_group
"""Rows of a row group, but for the last one of a ply."""


class SolvedRows(Protocol):
    """The rows of a solution in one of its forms."""

    game: Game
    rows: list[int]  # of each ply, up to the last that play reaches
    data_hash: str  # of all rows in the complete form
    fingerprint: str  # a hash that changes when any file does

    @property
    def unfinished(self) -> int:
        """How many classes are unfinished positions."""

    def read(self, ply: int, group: int) -> Values:
        """Return the values of a row group of a ply. Raises DataError when a file is damaged."""


def read_rows(solution: SolvedRows, ply: int, first: int, rows: int) -> Values:
    """Return the values of row groups of a ply: ``rows`` from ``first``, the first of a group."""
    groups = range(first // GROUP, -(-(first + rows) // GROUP))
    return np.concatenate([solution.read(ply, group) for group in groups])


class CompleteRows:
    """The rows in the parts of a solution; a part is opened when it is first needed."""

    def __init__(self, game: Game, manifest: Manifest, file_of: Callable[[str], OpenFile]) -> None:
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
    """Return the first lines of a file that holds a solution in some form."""
    order = " ".join(map(str, index.order))
    return f"marubatsu {form} {version}\ngame {index.game.notation}\norder {order}\n"
