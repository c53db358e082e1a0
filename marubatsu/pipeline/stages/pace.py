"""How slow this machine is at the moment, by a short run of work whose time is known."""

import time
from collections.abc import Callable

from marubatsu.engine.rules.game import Game
from marubatsu.engine.tree.positions import enumerate_positions

REFERENCE = 0.0038
"""Seconds that `work` takes where the efforts of the stages were measured, with nothing else."""

_LONG_ENOUGH = 1.0
"""Seconds of the measurement: for less, a busy system lets a new process go first."""


def work() -> None:
    """Enumerate the positions of tictactoe: Python and NumPy, as in the stages."""
    enumerate_positions(Game("tictactoe"))


def slowness(
    clock: Callable[[], float] = time.perf_counter, work: Callable[[], None] = work
) -> float:
    """Return how many times as long as in the reference work takes now.

    What other processes take from the cores counts.

    >>> ticks = iter([0.0, 0.5, 1.25])
    >>> slowness(lambda: next(ticks), lambda: None) * REFERENCE
    0.625
    """
    started, runs, passed = clock(), 0, 0.0
    while passed < _LONG_ENOUGH:
        work()
        runs += 1
        passed = clock() - started
    return passed / runs / REFERENCE
