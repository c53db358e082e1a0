"""The cost of solving a game, estimated before it begins; too little room is an error.

A short measurement says how fast this machine is.
"""

import hashlib
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from math import inf

import numpy as np

from marubatsu.engine.large.arrays import (
    WORD,
    Neighbours,
    Ply,
    Reached,
    Words,
    packed,
    ply_of,
    ranks_of,
    rules_of,
)
from marubatsu.engine.large.gravity_passes import go_on, reach, values_of_rows
from marubatsu.engine.large.index import Index, Shape
from marubatsu.engine.large.passes import evaluate
from marubatsu.engine.large.values import Values
from marubatsu.engine.rules.bounds import arrangements
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Longs
from marubatsu.engine.rules.size import describe, estimate_positions, estimate_positions_by_ply
from marubatsu.engine.rules.symmetry import most_members
from marubatsu.pipeline.solving.solution_files import encode_part, rows_of_blocks
from marubatsu.pipeline.support.background import WorkerThreads
from marubatsu.pipeline.support.cures import Cure
from marubatsu.pipeline.support.errors import NoRoomError
from marubatsu.pipeline.support.machine import amount, cores
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import Unfinished

_ROWS_A_SECOND = 20_000_000
"""Per core, both passes and the writing.

A first guess, that decides whether it is worth while to measure.
"""

_SECONDS_A_PLY = 0.01
"""The writing of its files and of the journal, however few its rows are."""

_SECONDS_TO_START = 1.0
"""The program, its kernels and the first files, however small the game is."""

_BYTES_ON_DISK = 0.2
"""Per row of a game without gravity, in the parts; 0.13 to 0.17 in the middle plies of 4x5k4."""

_BYTES_REACHED_ON_DISK = 0.3
"""Per row of a game with gravity that play reaches, in the parts; 0.18 to 0.32 in those solved."""

_BITS_ON_DISK = 0.3 / 8
"""Per row of a game with gravity, in bytes, until the end: whether play reaches it, compressed.

0.17 to 0.29 bits in those solved.
"""

_BYTES_A_PLY = 2_000
"""Of its files and of what the manifest says of them, however few its rows are."""

_BITS_IN_MEMORY = 1 / 4
"""Per row of a game with gravity, in bytes: whether play reaches it, and a count per word."""


@dataclass(frozen=True)
class Estimate:
    """The size of a game, estimated, and what solving it takes."""

    rows: float  # of the index
    classes: float
    seconds: float
    disk: float  # bytes
    memory: float  # bytes

    def __str__(self) -> str:
        classes = describe(self.classes).removeprefix("about ")
        return (
            f"about {classes} classes, {_duration(self.seconds)}, "
            f"{amount(self.disk)} of disk, {amount(self.memory)} of memory for data"
        )


def estimate(game: Game, most: float = inf) -> Estimate:
    """Estimate a game from samples of its positions; with gravity the estimate tends to be high.

    With ``most`` bytes of memory, files take the place of what it cannot hold.
    """
    symmetric = most_members(game)
    rows = [ways / symmetric for ways in arrangements(game)]
    disk, in_memory = _BYTES_ON_DISK * sum(rows), rows
    if game.gravity:
        reached = [positions / symmetric for positions in estimate_positions_by_ply(game)]
        disk = _BITS_ON_DISK * sum(rows) + _BYTES_REACHED_ON_DISK * sum(reached)
        in_memory = [
            _BITS_IN_MEMORY * all_ + some for all_, some in zip(rows, reached, strict=True)
        ]
    disk += _BYTES_A_PLY * len(rows)
    memory = max(map(sum, pairwise(in_memory)))
    if memory + (places := _places(game)) > most:
        disk, memory = disk + 1.5 * memory, max(0.0, most - places)
    return Estimate(
        rows=sum(rows),
        classes=max(1.0, estimate_positions(game) / symmetric),
        seconds=sum(rows) / _ROWS_A_SECOND / cores(),
        disk=disk,
        memory=memory + places,
    )


def _places(game: Game) -> float:
    """Return the bytes of the table that finds the block of a mask."""
    return 4.0 * ((game.rows + 1) ** game.columns if game.gravity else 1 << game.cells)


def calibrated(
    game: Game, expected: Estimate, clock: Callable[[], float] = time.perf_counter
) -> Estimate:
    """Return an estimate with the time as this machine is measured for some seconds."""
    row, reached = measured_seconds(game, clock)
    besides = _SECONDS_TO_START + (game.cells + 1) * _SECONDS_A_PLY
    seconds = besides + expected.rows * row + expected.classes * reached
    return replace(expected, seconds=seconds)


def require_room(expected: Estimate, goal: Unfinished, memory: int) -> None:
    """Raise NoRoomError when the disk or the memory surely cannot hold a game's solution."""
    game, places = goal.game, _places(goal.game)
    require_disk(
        goal, expected.disk, f"solving {game.name} takes about {amount(expected.disk)} of disk for "
        f"{describe(expected.rows).removeprefix('about ')} rows",
        f"{Cure('other folder')}, or see the costs on a cluster in docs/large-games.md",
    )  # fmt: skip
    if places > memory:
        raise NoRoomError(
            f"solving {game.name} takes about {amount(places)} of memory, more than the "
            f"{amount(memory)} given",
            Cure("more memory"),
            game=game.name,
        )


def require_disk(goal: Unfinished, needed: float, problem: str, cure: object) -> None:
    """Raise NoRoomError, which says the problem, when a disk has not so many bytes left.

    The files of an earlier run need no new space.
    """
    free = shutil.disk_usage(goal.folder).free
    present = sum(path.stat().st_size for path in goal.folder.rglob("*") if path.is_file())
    if needed - present > free:
        raise NoRoomError(
            f"{problem}, and {near(goal.root)} has {amount(free)} left",
            cure,
            game=goal.game.name,
            path=goal.root,
        )


def _duration(seconds: float) -> str:
    for limit, size, unit in ((90, 1, "s"), (5400, 60, "min"), (172_800, 3600, "h")):
        if seconds < limit:
            return f"{max(1.0, seconds / size):.0f} {unit}"
    return f"{seconds / 86_400:,.0f} days"


_SAMPLE = 1 << 22
"""Rows in a measurement, which takes about a second."""

_TOGETHER = 8
"""Rows that are drawn together."""

_HELD = 1 << 24
"""Rows of the plies before and after that it looks at; later plies have larger blocks."""


def measured_seconds(game: Game, clock: Callable[[], float]) -> tuple[float, float]:
    """Measure the seconds of a row on all cores, and those that it takes besides if it is reached.

    The first are of both passes, and of the encoding where it has no value. Without gravity the
    others are 0.
    It values some rows of a long ply, from values that stand in for those of its neighbours. With
    gravity as many rows are drawn as play is estimated to reach, after a measurement with none;
    where games end before that ply, so few rows are reached that they take no time.
    What other processes take from the cores counts.
    """
    index = Index(game)
    plies = [ply for ply in range(1, game.cells) if index.shape(ply + 1).offsets <= _HELD]
    if not plies:
        return 0.0, 0.0
    number = max(plies, key=lambda ply: index.shape(ply).rows)
    ply = ply_of(index, number)
    if not game.gravity:
        count = min(ply.rows, rows_of_blocks(ply.size, _SAMPLE))
        return _per_row(game, _values(index, ply), count, ply.size, clock), 0.0
    count = min(ply.rows, _SAMPLE)
    (positions,) = islice(estimate_positions_by_ply(game), number, number + 1)
    share = min(positions / most_members(game) / ply.rows, 1.0)
    none, some = (
        _per_row(game, _values_reached(index, ply, count, of), count, WORD, clock)
        for of in (0.0, share)
    )
    return none, max(some - none, 0.0) / share if share else 0.0


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
        found_rows = np.empty_like(here)
        reach(ply, first, last, rules, before, found_rows)
        go_on(ply, first, last, rules, found_rows)
        return values_of_rows(ply, first, last, rules, after, here)

    return value


def _stand_in(shape: Shape) -> Reached:
    """Return a ply of which play reaches all rows."""
    first_rows = _first_rows(shape)
    rows = first_rows.max() + shape.offsets
    words = packed(np.full(rows, fill_value=True))
    ranks = np.empty_like(words)
    ranks_of(words, ranks)
    return Reached(words, ranks, np.zeros(rows, np.int8), first_rows)


def _first_rows(shape: Shape) -> Longs:
    """Let the first blocks of a ply stand in for all."""
    blocks = max(1, min(len(shape.blocks), _HELD // shape.offsets))
    return np.arange(len(shape.blocks)) % blocks * shape.offsets
