"""The speed of this machine at solving a game, from a short measurement."""

import hashlib
import time
from itertools import pairwise

import numpy as np

from marubatsu.engine.large.index import Index
from marubatsu.engine.large.kernels import evaluate
from marubatsu.engine.large.tables import NO_BITS, NOTHING, Neighbours, ply_of, rules_of
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solution.parts import encode_part
from marubatsu.pipeline.solving.threads import working

_SAMPLE = 1 << 20
"""Rows in the measurement, which takes about a second."""

_HELD = 1 << 22
"""Rows of the next ply that it looks at."""


def seconds_per_row(game: Game) -> float:
    """Measure what a row takes, from both passes to its encoded value, with all cores at work.

    It values some rows of the longest ply, from values that stand in for those of the next ply.
    What other processes take from the cores counts.
    """
    index = Index(game)
    rules = rules_of(index)
    number = max(range(game.cells), key=lambda ply: index.shape(ply).rows)
    ply, shape = ply_of(index, number), index.shape(number + 1)
    held = max(1, min(len(shape.blocks), _HELD // shape.offsets))
    slots = (np.arange(len(shape.blocks)) % held).astype(np.int32)
    after = Neighbours(np.zeros(held * shape.offsets, np.int8), slots, shape.offsets)
    count = min(ply.rows, _SAMPLE)
    bits = np.full(-(-count // 8), 255, np.uint8) if game.gravity else NO_BITS
    values = np.empty(count, np.int8)

    def value(first: int, last: int) -> None:
        goal = values[first:last]
        evaluate(ply, first, last, rules, after, bits, goal)
        if game.gravity:  # The other pass takes as long.
            evaluate(ply, first, last, rules, after, bits, goal)
        hashlib.sha256(encode_part(game, goal).data)

    evaluate(ply, 0, 1, rules, NOTHING, bits, values[:1])  # Loads the kernel.
    with working() as workers:
        cuts = np.linspace(0, count, workers.threads + 1).astype(np.int64).tolist()
        started = time.perf_counter()
        for _ in workers.map(lambda cut: value(*cut), pairwise(cuts)):
            pass
    return (time.perf_counter() - started) / count
