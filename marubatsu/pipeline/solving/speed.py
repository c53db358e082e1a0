"""The speed of this machine at solving a game, from a short measurement."""

import hashlib
from collections.abc import Callable
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from marubatsu.engine.large.arrays import (
    WORD,
    Ints,
    Neighbours,
    Ply,
    Reached,
    Words,
    packed,
    ply_of,
    ranks_of,
    rules_of,
    unpacked,
)
from marubatsu.engine.large.gravity_passes import evaluate_reached, go_on, reach
from marubatsu.engine.large.index import Index, Shape
from marubatsu.engine.large.passes import evaluate
from marubatsu.engine.large.values import NULL, Values
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.size import estimate_positions_by_ply
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.solving.parts import encode_part, rows_of_blocks
from marubatsu.pipeline.solving.threads import WorkerThreads

_SAMPLE = 1 << 22
"""Rows in a measurement, which takes about a second."""

_TOGETHER = 8
"""Rows that are drawn together."""

_HELD = 1 << 24
"""Rows of the plies before and after that it looks at; later plies have larger blocks."""


class Seconds(NamedTuple):
    """What solving a game takes on this machine, with all its cores."""

    row: float
    """Of the index: both passes, and its value encoded, if it has none."""

    reached: float
    """What a row takes besides when play reaches it, with gravity; without, 0 by definition."""


def measured_seconds(game: Game, clock: Callable[[], float]) -> Seconds:
    """Measure what rows take.

    It values some rows of a long ply, from values that stand in for those of its neighbours. With
    gravity as many rows are drawn as play is estimated to reach, after a measurement with none;
    where games end before that ply, so few rows are reached that they take no time.
    What other processes take from the cores counts.
    """
    index = Index(game)
    plies = [ply for ply in range(1, game.cells) if index.shape(ply + 1).offsets <= _HELD]
    number = max(plies, key=lambda ply: index.shape(ply).rows, default=0)
    ply = ply_of(index, number)
    if not game.gravity:
        count = min(ply.rows, rows_of_blocks(ply.size, _SAMPLE))
        return Seconds(_per_row(game, _values(index, ply), count, ply.size, clock), 0.0)
    count = min(ply.rows, _SAMPLE)
    (positions,) = islice(estimate_positions_by_ply(game), number, number + 1)
    share = min(positions / len(symmetries(game)) / ply.rows, 1.0)
    none, some = (
        _per_row(game, _values_reached(index, ply, count, of), count, WORD, clock)
        for of in (0.0, share)
    )
    return Seconds(none, max(some - none, 0.0) / share if share else 0.0)


def _per_row(
    game: Game,
    values_of: Callable[[int, int], Values],
    count: int,
    unit: int,
    clock: Callable[[], float],
) -> float:
    """Measure the values of some rows, of so many together, and their encoding."""

    def work(cut: tuple[int, int]) -> None:
        hashlib.sha256(encode_part(game, values_of(*cut)).data)

    work((0, min(unit, count)))  # Loads the kernels, and what encodes.
    with WorkerThreads() as workers:
        cuts = [count * part // workers.threads // unit * unit for part in range(workers.threads)]
        started = clock()
        for _ in workers.each(work, pairwise([*cuts, count])):
            pass
    return (clock() - started) / count


def _values(index: Index, ply: Ply) -> Callable[[int, int], Values]:
    """Return a function that values rows from the first to before the last."""
    rules, shape = rules_of(index), index.shape(ply.number + 1)
    first_rows = _first_rows(shape)
    behind = np.zeros(first_rows.max() + shape.offsets, np.int8)

    def value(first: int, last: int) -> Values:
        values = np.empty(last - first, np.int8)
        evaluate(ply, first, last, rules, Neighbours(behind, first_rows), values)
        return values

    return value


def _values_reached(
    index: Index, ply: Ply, count: int, share: float
) -> Callable[[int, int], Values]:
    """Return the same for a game with gravity: the function does both passes.

    Play reaches a share of the rows.
    """
    rules, random = rules_of(index), np.random.default_rng(0)
    before, after = (_stand_in(index.shape(ply.number + step)) for step in (-1, 1))

    def drawn(rows: int) -> Words:
        """Draw rows, some together: play reaches neighbours, or does not."""
        some = random.random(-(-rows // _TOGETHER)) < share
        return packed(some.repeat(_TOGETHER)[:rows])

    before.words[:], words = drawn(before.values.size), drawn(count)

    def value(first: int, last: int) -> Values:
        here = words[first // WORD : -(-last // WORD)]
        found = np.empty_like(here)
        reach(ply, first, last, rules, before, found)
        go_on(ply, first, last, rules, found)
        flags = unpacked(here, last - first)
        values = np.full(flags.size, NULL)
        reached = np.empty(np.count_nonzero(flags), np.int8)
        evaluate_reached(ply, first, last, rules, after, here, reached)
        values[flags] = reached
        return values

    return value


def _stand_in(shape: Shape) -> Reached:
    """Return a ply of which play reaches all rows."""
    first_rows = _first_rows(shape)
    rows = first_rows.max() + shape.offsets
    words = packed(np.full(rows, fill_value=True))
    ranks = np.empty_like(words)
    ranks_of(words, ranks)
    return Reached(words, ranks, np.zeros(rows, np.int8), first_rows)


def _first_rows(shape: Shape) -> Ints:
    """Let the first blocks of a ply stand in for all."""
    blocks = max(1, min(len(shape.blocks), _HELD // shape.offsets))
    return np.arange(len(shape.blocks)) % blocks * shape.offsets
