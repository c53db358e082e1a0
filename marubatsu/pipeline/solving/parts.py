"""Write and read the files of a solution: its parts, ``blocks`` and ``value_counts``.

An unfinished solution is in ``solution.partial/`` next to it, with a journal. At the end the folder
is renamed, so a solution is either complete or absent.
"""

import shutil
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.index import Index
from marubatsu.engine.large.values import NULL, Values, distances, scores_mover
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.stages.staleness import VERSION
from marubatsu.pipeline.store.data_set import DataSet, Solution, not_built
from marubatsu.pipeline.store.integrity import open_listed
from marubatsu.pipeline.store.listed_files import part_file, parts
from marubatsu.pipeline.store.manifest import Entry, entry_of
from marubatsu.pipeline.tables.columns import Columns, Nullable
from marubatsu.pipeline.tables.parquet import Encoded, encode
from marubatsu.pipeline.tables.schemas import Table
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
    score_mover, distance = scores_mover(value), distances(value, goal.game.cells - ply)
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
    bits = np.frombuffer(validity, np.uint8)
    valid: NDArray[np.uint8] = np.unpackbits(
        bits, count=column.offset + len(column), bitorder="little"
    )
    return np.where(valid[column.offset :], values, NULL)


def rows_of_blocks(size: int, most: int) -> int:
    """Return the rows of as many whole blocks as have ``most`` rows, but of at least one."""
    return size * max(1, most // size)


def joined_rows(rows: int, first: int, last: int, read: Callable[[int], Values]) -> Values:
    """Return some rows of a ply from its parts; ``read`` returns one by its number."""
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
