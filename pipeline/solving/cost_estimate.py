"""The cost of solving a game, estimated before it begins; too little room is an error."""

import shutil
from dataclasses import dataclass, replace

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.size import arrangements, describe, estimate_positions
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.store.data_set import Unfinished, near
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.machine import amount, cores

_CLASSES_A_SECOND = 1_500_000
"""Per core, both passes and the writing: 2.2 million on 5x5k4-gravity, 1.4 million on 4x5k4.

A first guess, that decides whether it is worth while to measure.
"""

_SECONDS_A_PLY = 0.02
"""The writing of its files and of the journal, however few its classes are."""

_BYTES_ON_DISK = 10
"""Per class during solving: its key, kept until the end, and its row, about one byte."""

BYTES_IN_MEMORY = 4
"""Per class of the longest ply: its value and orbit, a value of the next ply, and more."""


@dataclass(frozen=True)
class Estimate:
    """The estimated number of classes, and what solving them takes."""

    classes: float
    seconds: float
    disk: float  # bytes
    memory: float  # bytes, at least

    def __str__(self) -> str:
        """Write the estimate in one line."""
        classes = describe(self.classes).removeprefix("about ")
        return (
            f"about {classes} classes, {_duration(self.seconds)}, "
            f"{amount(self.disk)} of disk, at least {amount(self.memory)} of memory"
        )


def estimate(game: Game) -> Estimate:
    """Estimate a game from samples of its positions; with gravity the estimate tends to be high."""
    ways = arrangements(game)
    classes = max(1.0, estimate_positions(game) / len(symmetries(game)))
    return Estimate(
        classes=classes,
        seconds=classes / _CLASSES_A_SECOND / cores(),
        disk=classes * _BYTES_ON_DISK,
        memory=classes * max(ways) / sum(ways) * BYTES_IN_MEMORY,
    )


def calibrated(game: Game, expected: Estimate) -> Estimate:
    """Return an estimate with the time as this machine is measured for about a second."""
    from marubatsu.pipeline.solving.speed import seconds_per_class

    seconds = expected.classes * seconds_per_class(game) + (game.cells + 1) * _SECONDS_A_PLY
    return replace(expected, seconds=seconds)


def require_room(expected: Estimate, goal: Unfinished, memory: int) -> None:
    """Raise DataError when the disk or the memory surely cannot hold a game's solution.

    The files of an earlier run need no new space.
    """
    game = goal.game
    free = shutil.disk_usage(goal.folder).free
    held = sum(path.stat().st_size for path in goal.folder.rglob("*") if path.is_file())
    keys = 8 * expected.memory / BYTES_IN_MEMORY  # of the longest ply, which are sorted
    runs = keys if keys > memory / 2 else 0  # on disk, when they do not fit
    if expected.disk + runs - held > free:
        raise DataError(
            f"solving {game.name} takes about {amount(expected.disk + runs)} of disk, and "
            f"{near(goal.root)} has {amount(free)} left: name another folder with --data"
        )
    if expected.memory > memory:
        raise DataError(
            f"solving {game.name} takes about {amount(expected.memory)} of memory, more than the "
            f"{amount(memory)} given: raise --memory"
        )


def _duration(seconds: float) -> str:
    for limit, size, unit in ((90, 1, "s"), (5400, 60, "min"), (172_800, 3600, "h")):
        if seconds < limit:
            return f"{max(1.0, seconds / size):.0f} {unit}"
    return f"{seconds / 86_400:,.0f} days"
