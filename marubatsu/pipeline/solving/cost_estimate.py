"""The cost of solving a game, estimated before it begins; too little room is an error."""

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

from marubatsu.engine.rules.bounds import arrangements
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.size import describe, estimate_positions, estimate_positions_by_ply
from marubatsu.engine.rules.symmetry import symmetries
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

_BITS_IN_MEMORY = 1 / 4
"""Per row of a game with gravity, in bytes: whether play reaches it, and a count per word."""


@dataclass(frozen=True)
class Estimate:
    """The size of a game, estimated, and what solving it takes."""

    rows: float  # of the index
    classes: float
    seconds: float
    disk: float  # bytes
    memory: float  # bytes; with less, files take the place of most of it

    def __str__(self) -> str:
        """Write the estimate in one line."""
        classes = describe(self.classes).removeprefix("about ")
        return (
            f"about {classes} classes, {_duration(self.seconds)}, "
            f"{amount(self.disk)} of disk, {amount(self.memory)} of memory"
        )


def estimate(game: Game) -> Estimate:
    """Estimate a game from samples of its positions; with gravity the estimate tends to be high."""
    symmetric = len(symmetries(game))
    rows = [ways / symmetric for ways in arrangements(game)]
    disk, in_memory = _BYTES_ON_DISK * sum(rows), rows
    if game.gravity:
        reached = [positions / symmetric for positions in estimate_positions_by_ply(game)]
        disk = _BITS_ON_DISK * sum(rows) + _BYTES_REACHED_ON_DISK * sum(reached)
        in_memory = [
            _BITS_IN_MEMORY * all_ + some for all_, some in zip(rows, reached, strict=True)
        ]
    return Estimate(
        rows=sum(rows),
        classes=max(1.0, estimate_positions(game) / symmetric),
        seconds=sum(rows) / _ROWS_A_SECOND / cores(),
        disk=disk,
        memory=max(map(sum, pairwise(in_memory))) + _places(game),
    )


def _places(game: Game) -> float:
    """Return the bytes of the table that finds the block of a mask."""
    return 4.0 * ((game.rows + 1) ** game.columns if game.gravity else 1 << game.cells)


def calibrated(
    game: Game, expected: Estimate, clock: Callable[[], float] = time.perf_counter
) -> Estimate:
    """Return an estimate with the time as this machine is measured for some seconds."""
    from marubatsu.pipeline.solving.speed import measured_seconds

    each = measured_seconds(game, clock)
    besides = _SECONDS_TO_START + (game.cells + 1) * _SECONDS_A_PLY
    seconds = besides + expected.rows * each.row + expected.classes * each.reached
    return replace(expected, seconds=seconds)


def require_room(expected: Estimate, goal: Unfinished, memory: int) -> None:
    """Raise NoRoomError when the disk or the memory surely cannot hold a game's solution."""
    game, places = goal.game, _places(goal.game)
    mapped = 1.5 * (expected.memory - places) if expected.memory > memory else 0.0
    needed = expected.disk + mapped
    require_disk(
        goal, needed, f"solving {game.name} takes about {amount(needed)} of disk for "
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
