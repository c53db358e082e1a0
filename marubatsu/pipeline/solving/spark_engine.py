"""Solve a game on Apache Spark: its tasks run our kernels, and it carries blocks between them.

A shuffle by the number of the chunk joins two plies: the tasks of one send, those of the other
receive (`solving.spark_tasks`).

The files are those of the local engine, journal included: each engine resumes what the other began.
Driver and executors need the data under the same path, and the same marubatsu installed.
"""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from marubatsu.engine.large.arrays import Ply, ply_of
from marubatsu.engine.large.index import Index
from marubatsu.engine.rules.game import Game, GameError
from marubatsu.pipeline.solving.journal import (
    REACHED,
    Journal,
    reached_sha256,
    remove_reached,
    write_reached,
)
from marubatsu.pipeline.solving.solve_job import Progress, Solved, finish, make, name_compact_form
from marubatsu.pipeline.solving.spark_session import INSTALLED, require_spark, session
from marubatsu.pipeline.solving.spark_tasks import PlyStep, rows_of_chunk, rows_of_group
from marubatsu.pipeline.tables.data_set import Unfinished
from marubatsu.pipeline.tables.manifest import Entry, part_file

LOG = f"{REACHED}/spark.log"
"""Spark's output during a run, in the folder of the unfinished solution."""

MOST_ROWS = 1 << 30
"""Rows of a block, at most: a task has a block and its neighbours in memory."""

_PATIENCE = 0.2  # seconds between two checks for signals


def solve(
    root: Path,
    game: Game,
    *,
    master: str | None = None,
    memory: int | None = None,
    progress: Progress = lambda what, share, rows: None,
) -> Solved:
    """Solve a game as `local_engine.solve` does, on the Spark of a master URL.

    Without ``master`` Spark's own configuration decides, else all cores of this machine.
    ``memory`` in bytes is the heap of the driver and of each executor; the Python of each core
    takes some 300 MB more. Without it Spark's own configuration decides, else half of this
    machine's memory.
    Raises UsageError when Spark or Java are not installed, GameError for a board that the index or
    a task cannot hold, and the errors of `make`.
    """
    index = Index(game)
    most = max(index.shape(ply).offsets for ply in range(game.cells + 1))
    if most > MOST_ROWS:
        raise GameError(
            f"{game.name} has blocks of {most:,} rows: expected at most {MOST_ROWS:,} on Spark, "
            "where a task holds whole blocks; solve it with --engine local"
        )
    require_spark()

    def fill(goal: Unfinished, reached: Progress) -> dict[str, Entry]:
        name_compact_form(goal)
        solver = _Solver(Journal.open(goal), index)
        if not solver.is_done:
            _run(solver, master, memory, reached)
        return finish(solver.journal, index)

    return make(root, game, fill, progress=progress)


class _Solver:
    """One run over the plies that a journal leaves to do."""

    def __init__(self, journal: Journal, index: Index) -> None:
        self.journal = journal
        self.state: tuple[str, float, int] = ("starting Spark", 0.0, 0)
        self.is_stopped = False
        self._index = index
        self._rows = [index.shape(ply).rows for ply in range(index.game.cells + 1)]
        self._looked_at = 0

    @property
    def is_done(self) -> bool:
        """Whether every ply is written."""
        return 0 in self.journal.backward

    def solve(self, context: Any) -> None:
        """Solve all plies."""
        self._context = context
        if self._index.game.gravity:
            self._forward()
        self._backward()

    def _forward(self) -> None:
        """Find out which rows of every ply play reaches."""
        journal = self.journal
        while journal.plies is None:
            ply = len(journal.forward)
            if ply == len(self._rows) or not self._reaches(ply):
                journal.ends(ply)
            else:
                journal.forward_done(reached_sha256(journal.goal, ply, self._rows[ply]))

    def _reaches(self, ply: int) -> bool:
        """Write which rows of a ply play reaches; return whether it reaches any."""
        remove_reached(self.journal.goal, ply)
        if ply == 0:
            write_reached(self.journal.goal, ply, np.ones(1, np.int64), 1)
            return True
        return any(self._do(ply - 1, ply, PlyStep.reach))

    def _backward(self) -> None:
        """Value every row, from the last ply to the first, and write the parts."""
        journal = self.journal
        for ply in reversed(range(journal.plies or len(self._rows))):
            if not journal.left(ply, self._rows[ply]):
                continue
            written = self._do(ply + 1, ply, PlyStep.value)
            if not any(part.value_counts for _, part in written):  # Play does not reach the ply.
                shutil.rmtree(journal.goal.path(part_file(ply, 0)).parent)
                continue
            if journal.plies is None:
                journal.ends(ply + 1)
            for number, part in written:
                journal.part_done(ply, number, part)
            journal.backward_done(ply)

    def _do(self, known: int, wanted: int, what: Callable[..., Any]) -> list[Any]:
        """Let the tasks do the chunks of a ply, from another one; return what they yield."""
        self._begin(known, wanted)
        goal = self.journal.goal
        step = PlyStep(str(goal.root.resolve()), goal.game.notation, known, wanted, INSTALLED)
        is_known = known < wanted or known in self.journal.backward
        groups = -(-self._rows[known] // rows_of_group(self._ply(known))) if is_known else 0
        chunks = -(-self._rows[wanted] // rows_of_chunk(self._ply(wanted)))
        results: list[Any] = (
            self._context.parallelize(range(groups), max(1, groups))
            .mapPartitions(step.send)
            .partitionBy(chunks, int)
            .mapPartitionsWithIndex(what.__get__(step))
            .collect()
        )
        return results

    def _ply(self, ply: int) -> Ply:
        return ply_of(self._index, ply)

    def _begin(self, known: int, wanted: int) -> None:
        """Tell the ply that comes; stop when asked to."""
        if self.is_stopped:
            raise _Stopped
        is_forward = known < wanted
        what = "forward" if is_forward else "backward"
        done = self._rows[:wanted] if is_forward else self._rows[wanted + 1 :]
        share = sum(done) / sum(self._rows)
        if self._index.game.gravity:
            share = share / 2 + (0.0 if is_forward else 0.5)
        self.state = f"{what}, ply {wanted}", share, self._looked_at
        self._looked_at += self._rows[wanted]


class _Stopped(BaseException):
    """An order to stop, in the thread of Spark."""


def _run(solver: _Solver, master: str | None, memory: int | None, reached: Progress) -> None:
    """Run Spark in a thread, while this thread handles signals and reports the progress."""
    log = solver.journal.goal.path(LOG)
    log.parent.mkdir(exist_ok=True)
    contexts: list[Any] = []

    def work() -> None:
        with session(master, memory, log, Unfinished.kept) as context:
            contexts.append(context)
            solver.solve(context)

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(work)
        try:
            while wait([working], _PATIENCE).not_done:
                reached(*solver.state)
        except BaseException:
            solver.is_stopped = True
            while wait([working], _PATIENCE).not_done:  # It may start a job after its check.
                for context in contexts:
                    with suppress(Exception):  # It may have ended just now.
                        context.cancelAllJobs()
            raise
        working.result()
