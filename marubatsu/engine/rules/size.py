"""The size of a game, estimated before it is built; too high where a rule opens few cells.

Tree nodes: Knuth's estimator (Estimating the efficiency of backtrack programs, 1975): play at
random and multiply the numbers of legal moves. The mean product at a ply is an unbiased estimate
of the nodes there. Positions: count the ways to place the marks, and sample the share of them
that ends the game no earlier than the last move. Both draw from a generator with a fixed seed, so
an estimate is the same on every run.
"""

from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import TypeAlias

import numpy as np

from marubatsu.engine.rules.bounds import MAX_POSITIONS, arrangements, stackings
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import (
    Bools,
    Masks,
    has_line,
    mask_dtype,
    open_cells,
    status_codes,
)
from marubatsu.engine.rules.position import Status

_Generator: TypeAlias = "np.random.Generator"  # a string, so that numpy.random loads when used

SAMPLES = 2048
_SEED = 1975


@cache
def estimate_nodes(game: Game, samples: int = SAMPLES) -> float:
    """Estimate the nodes of the full tree, the root included."""
    generator = np.random.default_rng(_SEED)
    circle: Masks = np.zeros(samples, dtype=mask_dtype(game))
    cross = circle.copy()
    ways = np.ones(samples)
    total = 0.0
    for ply in range(game.cells + 1):
        total += float(ways.sum()) / samples
        playing = status_codes(game, circle, cross) == Status.PLAYING
        if not playing.any():
            break
        open_ = open_cells(game, circle | cross)
        ways = np.where(playing, ways * np.bitwise_count(open_), 0.0)
        mark = np.where(playing, _random_bit(generator, open_), 0).astype(circle.dtype)
        if ply % 2 == 0:
            circle = circle | mark
        else:
            cross = cross | mark
    return total


@cache
def estimate_positions(game: Game, samples: int = SAMPLES) -> float:
    """Estimate the positions that play can reach, from some samples of each ply.

    With gravity the estimate is too high, on three columns by up to a third: it counts boards that
    no order of moves reaches. (The estimated nodes are its upper bound, which matters on tall, thin
    boards.)
    """
    return min(sum(estimate_positions_by_ply(game, samples)), estimate_nodes(game, samples))


@cache
def is_large(game: Game, limit: float = MAX_POSITIONS) -> bool:
    """Return whether the estimated positions are more than a limit: by default, than tables hold.

    The first plies of a large game are enough to know.
    """
    totals = accumulate(estimate_positions_by_ply(game))
    return any(total > limit for total in totals) and estimate_nodes(game) > limit


def estimate_positions_by_ply(game: Game, samples: int = SAMPLES) -> Iterator[float]:
    """Yield the estimated positions of each ply, as `estimate_positions` adds them up."""
    generator = np.random.default_rng(_SEED)
    for ply, ways in enumerate(arrangements(game)):
        # Order the filled cells of each sample at random; circle takes every other one.
        filled = _random_shapes(game, generator, ply, samples)
        keys = np.where(filled, generator.random(filled.shape), 2.0)
        order = keys.argsort(axis=1)[:, :ply]
        marks = np.left_shift(mask_dtype(game).type(1), order.astype(mask_dtype(game)))
        circle = np.bitwise_or.reduce(marks[:, 0::2], axis=1)
        cross = np.bitwise_or.reduce(marks[:, 1::2], axis=1)
        yield ways * _reachable_share(game, circle, cross, ply)


def _reachable_share(game: Game, circle: Masks, cross: Masks, ply: int) -> float:
    """Return the share of boards that play can reach: no side won before the last move."""
    last, waiting = (circle, cross) if ply % 2 else (cross, circle)
    alive = ~has_line(game, waiting)
    won = np.flatnonzero(alive & has_line(game, last))
    alive[won] = False
    covered = (circle | cross) << game.columns if game.gravity else np.zeros_like(last)
    for cell in range(game.cells):
        bit = last.dtype.type(1 << cell)
        may_be_last = won[(last[won] & bit != 0) & (covered[won] & bit == 0)]
        alive[may_be_last] |= ~has_line(game, last[may_be_last] & ~bit)
    return float(alive.mean())


def _random_shapes(game: Game, generator: _Generator, ply: int, samples: int) -> Bools:
    """Draw sets of ``ply`` filled cells, each equally likely: [samples, cells] bool."""
    filled = np.zeros((samples, game.cells), dtype=np.bool_)
    if not game.gravity:
        order = generator.random(filled.shape).argsort(axis=1)[:, :ply]
        np.put_along_axis(filled, order, True, axis=1)
        return filled
    # Column by column: weight each height by the ways to fill the columns to its right.
    left = np.full(samples, ply)
    heights = np.arange(game.rows + 1)
    for column in range(game.columns):
        ways = np.array(stackings(game.columns - 1 - column, game.rows))
        rest = left[:, None] - heights
        possible = (rest >= 0) & (rest < len(ways))
        weights = np.where(possible, ways[np.where(possible, rest, 0)], 0.0).cumsum(axis=1)
        drawn = generator.random(samples) * weights[:, -1]
        height = (weights <= drawn[:, None]).sum(axis=1)
        left -= height
        for level in range(game.rows):
            filled[:, column + game.columns * (game.rows - 1 - level)] = height > level
    return filled


def _random_bit(generator: _Generator, masks: Masks) -> Masks:
    """Draw one set bit of each mask, each equally likely; 0 where a mask is empty."""
    skip = (generator.random(len(masks)) * np.bitwise_count(masks)).astype(np.int64)
    rest = masks.copy()
    for dropped in range(int(skip.max())):
        drop = skip > dropped
        rest[drop] ^= rest[drop] & -rest[drop]
    return rest & -rest


def describe(count: float) -> str:
    """Format a large count.

    >>> [describe(count) for count in (549_946, 9_722_011, 999_700_000, 2e28)]
    ['549,946', 'about 9.72 million', 'about 1 billion', 'about 2e+28']
    """
    if count < 1e6:
        return f"{round(count):,}"
    for size, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if 0.9995 * size <= count < 999.5 * size:
            return f"about {count / size:.3g} {word}"
    return f"about {count:.1g}"
