"""The plan of a build: what it would make, why, and how long that takes.

A build asks the same `why_make`, so a plan says what a build then does. A plan cannot know whether
an input that is made again comes out with the same rows.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, NamedTuple, TypeAlias

from marubatsu.engine.rules.bounds import MAX_POSITIONS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.size_limits import require_few
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.pipeline.stages.build import manifest_or_blank, why_make
from marubatsu.pipeline.stages.stage import Stage
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.schemas import Table

Action: TypeAlias = Literal["keep", "make", "make if changed"]
"""What a build does with a table; the last: make it if an input that is made comes out changed."""

REFERENCE = 0.0038
"""Seconds that `work` takes where the efforts of the stages were measured, with nothing else."""

_LONG_ENOUGH = 1.0
"""Seconds of the measurement: for less, a busy system lets a new process go first."""


class Planned(NamedTuple):
    """What a build does with one table, and why."""

    table: str
    action: Action
    why: str  # what changed since the file was written; "" for a table that is kept
    rows: int | None  # of the file that is there, else an estimate, None where there is none
    seconds: float  # that it takes to make, as slow as this machine is now; 0 for a kept one


def plan(
    data_set: DataSet, stages: Sequence[Stage], slowness_now: Callable[[], float] = lambda: 1.0
) -> list[Planned]:
    """Say what a build of some stages would do; change nothing.

    ``slowness_now`` measures this machine, as `slowness` does; it is called only if something is to
    be made.

    Raises DataError when the folder cannot be read, TooLargeError for a game that is surely out of
    reach; a build may find that only while it counts.
    """
    old = manifest_or_blank(data_set)
    positions = require_few(data_set.game)
    planned: dict[str, Planned] = {}
    for stage in stages:
        table = stage.table
        entry = old.files.get(table.file)
        action: Action = "make"
        unknown = [t.name for t in stage.inputs if planned[t.name].action != "keep"]
        known = {t.name: old.files[t.file].content for t in stage.inputs if t.name not in unknown}
        used = entry.inputs if entry else {}
        why = why_make(data_set, stage, old, partial(dict, used | known))
        if not why:
            action = "make if changed" if unknown else "keep"
            why = f"follows {' and '.join(unknown)}" if unknown else ""
        planned[table.name] = Planned(
            table.name, action, why,
            entry.rows if entry else _expected_rows(table, data_set.game),
            0.0 if action == "keep" else stage.seconds(min(positions, MAX_POSITIONS)),
        )  # fmt: skip
    slow = slowness_now() if any(each.seconds for each in planned.values()) else 1.0
    return [each._replace(seconds=each.seconds * slow) for each in planned.values()]


def _expected_rows(table: Table, game: Game) -> int | None:
    from marubatsu.engine.rules.size import estimate_nodes, estimate_positions
    from marubatsu.engine.rules.symmetry import most_members

    estimates: dict[str, Callable[[], float]] = {
        "positions": lambda: estimate_positions(game),
        "classes": lambda: estimate_positions(game) / most_members(game),
        "tree_bfs": lambda: estimate_nodes(game),
        "tree_dfs": lambda: estimate_nodes(game),
    }
    return round(estimates[table.name]()) if table.name in estimates else None


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
