"""The speed of this machine at solving a game, from a short measurement."""

import hashlib
import time

import numpy as np

from marubatsu.engine.large.kernels import Ints, Rules, children_of, evaluate, rules_of, unique
from marubatsu.engine.large.values import FAR
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.size import arrangements
from marubatsu.pipeline.solution.key_range import KeyRange
from marubatsu.pipeline.solution.parts import encode_part
from marubatsu.pipeline.solving.threads import Workers, working

_SAMPLE = 1 << 16
"""Classes of each ply in the measurement, which takes about a second."""

_SEED = 1975


def seconds_per_class(game: Game) -> float:
    """Measure what a class takes, from both passes to its encoded row, with all cores at work.

    It solves a random sample of each ply, from the empty board on: the children of a sample are the
    next ply, of which the next sample is drawn. What other processes take from the cores counts.
    """
    rules, generator = rules_of(game), np.random.default_rng(_SEED)
    ways = arrangements(game)
    sample = np.array([rules.empty], np.int64)
    _solve_sample(game, 0, rules, sample, None)  # Loads the kernels, or compiles them.
    seconds = classes = 0.0
    with working() as workers:
        for ply, share in enumerate(ways):
            if not sample.size:
                break
            started = time.perf_counter()
            after = _solve_sample(game, ply, rules, sample, workers)
            seconds += share * (time.perf_counter() - started) / sample.size
            classes += share
            sample = after
            if after.size > _SAMPLE:
                sample = np.sort(generator.choice(after, _SAMPLE, replace=False))
    return seconds / classes


def _solve_sample(
    game: Game, ply: int, rules: Rules, sample: Ints, workers: Workers | None
) -> Ints:
    """Do with some classes of a ply all that solving does; return the classes of the next ply."""
    map_ = workers.map if workers else map
    pieces = np.array_split(sample, workers.threads if workers else 1)

    def expand(keys: Ints) -> Ints:
        return children_of(keys, ply % 2, rules)

    after = np.sort(np.concatenate(list(map_(expand, pieces))))
    after = after[: unique(after)]
    behind = KeyRange(after, np.zeros(after.size, np.int8))

    def value(keys: Ints) -> None:
        values, orbits = np.full(keys.size, -FAR, np.int8), np.empty(keys.size, np.int8)
        evaluate(
            keys, ply % 2, rules, behind.keys, behind.shift, behind.starts, behind.values,
            values, orbits,
        )  # fmt: skip
        encoded = encode_part(game, ply, keys, values, orbits)
        hashlib.sha256(encoded.data)
        hashlib.sha256(keys.data)

    for _ in map_(value, pieces):
        pass
    return after
