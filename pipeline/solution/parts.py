"""The files of a solution: ``ply=NN/part-NNNN.parquet``, sorted by key over all parts of a ply.

An unfinished solution is in ``solution.partial/`` next to it, with the keys of every ply and a
journal. At the end the folder is renamed, so a solution is either complete or absent.
"""

import shutil
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.values import Values, distances, scores_mover, values
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.stages.staleness import VERSION
from marubatsu.pipeline.store.columns import Columns
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.manifest import Entry, entry_of
from marubatsu.pipeline.store.parquet import Encoded, encode
from marubatsu.pipeline.store.schemas import SOLUTION

PART = 1 << 22
"""Rows of a part; the last one of a ply has fewer."""


def part_file(ply: int, number: int) -> str:
    """Name a part of a ply."""
    return f"ply={ply:02}/part-{number:04}.parquet"


def encode_part(
    game: Game, ply: int, keys: NDArray[np.int64], found: Values, orbits: Values
) -> Encoded:
    """Encode a part."""
    columns: Columns = {
        "key": keys,
        "score_mover": scores_mover(found),
        "distance": distances(found, game.cells - ply),
        "orbit": orbits,
    }
    return encode(SOLUTION, game, columns)


def write_part(
    goal: DataSet, ply: int, number: int, keys: NDArray[np.int64], found: Values, orbits: Values
) -> tuple[str, Entry]:
    """Write and sync a part; return its name and its entry for the manifest."""
    encoded = encode_part(goal.game, ply, keys, found, orbits)
    file = part_file(ply, number)
    goal.write(file, memoryview(encoded.data))
    return file, entry_of(encoded, VERSION, {})


def read_values(goal: DataSet, files: list[str]) -> Values:
    """Read the values of a ply from its parts."""
    import pyarrow.parquet as pq

    read = []
    for file in files:
        rows = pq.read_table(
            goal.path(file), columns=["score_mover", "distance"], partitioning=None
        )
        read.append(values(rows["score_mover"].to_numpy(), rows["distance"].to_numpy()))
    return np.concatenate(read)


def parts(count: int) -> Iterator[tuple[int, int, int]]:
    """Yield the number, the first row and the row after the last of each part of a ply."""
    for number, first in enumerate(range(0, count, PART)):
        yield number, first, min(first + PART, count)


def publish(unfinished: DataSet, solution: DataSet) -> None:
    """Replace the old solution by a finished one. The caller holds both locks."""
    replaced = solution.folder.with_name("solution.replaced.partial")
    shutil.rmtree(replaced, ignore_errors=True)
    if solution.folder.exists():
        solution.folder.rename(replaced)
    unfinished.folder.rename(solution.folder)
    shutil.rmtree(replaced, ignore_errors=True)
