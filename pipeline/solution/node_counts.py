"""The node counts of a solved game's full tree: how many nodes show each class.

There are as many nodes as ways to play, too many to store. One pass over the classes, from the
empty board on, counts them.
"""

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from marubatsu.engine.large.kernels import Ints, rules_of, spread
from marubatsu.engine.large.values import Values
from marubatsu.pipeline.solution.key_range import KeyRange
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.held_file import HeldFile
from marubatsu.pipeline.store.integrity import Opened
from marubatsu.pipeline.store.manifest import ply_of
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.machine import amount

_BYTES = 20  # per class: key, nodes, score and distance, and its share of an index

_ENDS = {1: "circle", 0: "draw", -1: "cross"}


class Count(NamedTuple):
    """The number of nodes of a ply with the same status and score, circle's view."""

    ply: int
    status: str
    score: int
    nodes: int


def count_nodes(solution: DataSet, opened: Opened, memory: int) -> Iterator[Count]:
    """Count the nodes of every ply of an open solution.

    Raises DataError when two plies take more than ``memory`` bytes, or a class is missing;
    OverflowError when a class has more nodes than fit 63 bits.
    """
    names = [list(files) for _, files in groupby(sorted(opened.files), ply_of)]
    plies = [[opened.files[name] for name in files] for files in names]
    sizes = [sum(opened.manifest.files[name].rows for name in files) for files in names] + [0]
    most = _BYTES * max(map(sum, pairwise(sizes)))
    if most > memory:
        raise DataError(
            f"counting the nodes of {solution.game.name} takes about {amount(most)} of memory, "
            f"more than the {amount(memory)} given: raise --memory"
        )
    rules, nodes = rules_of(solution.game), np.ones(1, np.int64)
    keys, scores_mover, distances = _read(plies[0])
    for ply in range(len(plies)):
        yield from _alike(ply, -scores_mover if ply % 2 else scores_mover, distances, nodes)
        if ply + 1 == len(plies):
            return
        after_keys, scores_mover, distances = _read(plies[ply + 1])
        after = KeyRange(after_keys, np.zeros(after_keys.size, np.int64))
        missing = spread(
            keys, ply % 2, rules, nodes, after.keys, after.shift, after.starts, after.values
        )
        if missing < 0:
            raise OverflowError(f"{solution.game.name}: a class has more nodes than fit 63 bits")
        if missing:
            raise DataError(
                f"ply {ply + 1} of {solution.game.name} lacks classes that the ply before leads "
                f"to; {solution.cure}"
            )
        keys, nodes = after.keys, after.values


def _read(files: list[HeldFile]) -> tuple[Ints, Values, Values]:
    """Return the keys, scores and distances of a ply from its parts."""
    columns = ["key", "score_mover", "distance"]
    rows = pa.concat_tables([held.rows(columns) for held in files])
    return rows["key"].to_numpy(), rows["score_mover"].to_numpy(), rows["distance"].to_numpy()


def _alike(ply: int, scores: Values, distances: Values, nodes: Ints) -> Iterator[Count]:
    """Sum the nodes of a ply by status and score."""
    for score, end in _ENDS.items():
        for status, chosen in (("playing", distances > 0), (end, distances == 0)):
            alike = nodes[chosen & (scores == score)]
            if alike.size:
                yield Count(ply, status, score, total(alike))


def total(numbers: Ints) -> int:
    """Add up non-negative numbers whose sum may exceed 63 bits."""
    half = 32
    return (int((numbers >> half).sum()) << half) + int((numbers & (1 << half) - 1).sum())
