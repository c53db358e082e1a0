"""Solve a game on this machine, with all its cores and a limit on memory."""

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from marubatsu.engine.large.kernels import Ints, Rules, children_of, evaluate, rules_of
from marubatsu.engine.large.values import FAR, Values
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solution.key_range import KeyRange
from marubatsu.pipeline.solution.parts import parts, read_values, write_part
from marubatsu.pipeline.solving.cost_estimate import Estimate, calibrated, require_room
from marubatsu.pipeline.solving.journal import RUNS, Journal, key_path
from marubatsu.pipeline.solving.key_file import KeyWriter
from marubatsu.pipeline.solving.solve_job import Progress, Solved, make
from marubatsu.pipeline.solving.sorter import Sorter
from marubatsu.pipeline.solving.threads import Workers, working
from marubatsu.pipeline.stages.staleness import VERSION
from marubatsu.pipeline.store.data_set import Unfinished, near
from marubatsu.pipeline.store.manifest import Entry
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.events import note

_CHUNK = 1 << 16  # classes that a kernel works on at a time
BYTES_OF_A_KEY = 10
"""Per key in memory: the key itself, its share of the index, its value."""

_LONG = 2.0  # seconds; before a longer run the estimate is told

_Result = TypeVar("_Result")


def solve(
    root: Path,
    game: Game,
    memory: int,
    *,
    expected: Estimate | None = None,
    progress: Progress = lambda what, share, classes: None,
    on_wait: Callable[[], None] = lambda: None,
) -> Solved:
    """Solve a game or resume a stopped run; an up-to-date solution stays as it is.

    ``memory`` is in bytes and for the data; Python and its libraries take some 200 MB more.
    ``expected`` is for the progress, and for the check of disk and memory before the start.
    Raises GameError for a board that keys cannot hold, DataError when there is no room, and the
    errors of `make`.
    """
    rules = rules_of(game)

    def fill(goal: Unfinished, reached: Progress) -> dict[str, Entry]:
        if expected:
            require_room(expected, goal, memory)
        journal = Journal.open(goal, VERSION)
        if expected and expected.seconds > _LONG and not journal.forward:
            measured = calibrated(game, expected)
            note(
                "estimate",
                str(measured),
                classes=round(measured.classes),
                seconds_to_solve=round(measured.seconds, 1),
                disk=round(measured.disk),
                memory=round(measured.memory),
            )
        with working() as workers:
            classes = expected.classes if expected else 1.0
            solver = _Solver(journal, rules, workers, memory, classes, reached)
            solver.forward()
            solver.backward()
        return journal.files

    return make(root, game, fill, progress=progress, on_wait=on_wait)


class _Solver:
    """One run over the plies that a journal leaves to do."""

    def __init__(
        self,
        journal: Journal,
        rules: Rules,
        workers: Workers,
        memory: int,
        expected: float,
        reached: Progress,
    ) -> None:
        self._journal, self._goal = journal, journal.goal
        self._rules, self._workers = rules, workers
        self._memory = memory
        self._expected, self._reached = expected, reached
        self._looked_at = 0

    def forward(self) -> None:
        """Find the classes of every ply."""
        journal, runs = self._journal, self._goal.path(RUNS)
        if not journal.forward:
            self._write_keys(0, iter([np.array([self._rules.empty], np.int64)]))
        while not journal.is_complete:
            ply = len(journal.forward) - 1
            shutil.rmtree(runs, ignore_errors=True)  # Left by a killed run.
            sorter = Sorter(self._workers, runs, self._memory // 2)
            for run in self._over(ply, partial(self._children, ply)):
                sorter.add(run)
            self._write_keys(ply + 1, sorter.merged())
            shutil.rmtree(runs, ignore_errors=True)

    def _children(self, ply: int, first: int, last: int) -> Ints:
        return children_of(self._journal.keys(ply).read(first, last), ply % 2, self._rules)

    def _write_keys(self, ply: int, stretches: Iterator[Ints]) -> None:
        with KeyWriter(key_path(self._goal, ply)) as writer:
            for keys in stretches:
                writer.append(keys)
        self._journal.forward_done(writer.count, writer.sha256)

    def backward(self) -> None:
        """Value every class, from the last ply to the first, and write it."""
        journal = self._journal
        after = np.zeros(0, np.int8)  # The values of the next ply.
        for ply in reversed(range(len(journal.forward))):
            if ply not in journal.backward:
                values, orbits = self._evaluate(ply, after)
                journal.backward_done(ply, dict(self._write_parts(ply, values, orbits)))
                after = values
            elif ply - 1 not in journal.backward:
                after = read_values(self._goal, sorted(journal.backward[ply]))

    def _evaluate(self, ply: int, after: Values) -> tuple[Values, Values]:
        """Return the values and orbits of a ply; read the next ply in pieces that fit memory."""
        count = self._journal.keys(ply).count
        values, orbits = np.full(count, -FAR, np.int8), np.empty(count, np.int8)
        for stretch in self._stretches(ply + 1, after):
            work = partial(self._look, ply, stretch, values, orbits)
            if sum(self._over(ply, work)):
                raise DataError(
                    f"{near(key_path(self._goal, ply + 1))} lacks classes that the ply before "
                    "leads to: it was damaged while it was used; run the same command again"
                )
        return values, orbits

    def _stretches(self, ply: int, values: Values) -> Iterator[KeyRange]:
        """Yield a ply in pieces that fit the memory; after the last ply, one empty piece."""
        if not values.size:
            yield KeyRange(np.zeros(0, np.int64), values)
            return
        most = max(self._memory // 2 // BYTES_OF_A_KEY, _CHUNK)
        keys = self._journal.keys(ply)
        for first in range(0, keys.count, most):
            last = min(first + most, keys.count)
            yield KeyRange(keys.read(first, last), values[first:last])

    def _look(
        self, ply: int, stretch: KeyRange, values: Values, orbits: Values, first: int, last: int
    ) -> int:
        return evaluate(
            self._journal.keys(ply).read(first, last), ply % 2, self._rules,
            stretch.keys, stretch.shift, stretch.starts, stretch.values,
            values[first:last], orbits[first:last],
        )  # fmt: skip

    def _write_parts(self, ply: int, values: Values, orbits: Values) -> Iterator[tuple[str, Entry]]:
        file = self._journal.keys(ply)

        def write(part: tuple[int, int, int]) -> tuple[str, Entry]:
            number, first, last = part
            keys = file.read(first, last)
            return write_part(self._goal, ply, number, keys, values[first:last], orbits[first:last])

        yield from self._workers.map(write, parts(file.count))

    def _over(self, ply: int, work: Callable[[int, int], _Result]) -> Iterator[_Result]:
        """Process all chunks of a ply, and report the progress."""
        counts = [count for count, _ in self._journal.forward]
        if self._journal.is_complete:
            what, start, done, total = "backward", 0.5, sum(counts[ply + 1 :]), float(sum(counts))
        else:
            what, start, done = "forward", 0.0, sum(counts[:ply])
            total = max(self._expected, done + counts[ply])
        chunks = [
            (first, min(first + _CHUNK, counts[ply])) for first in range(0, counts[ply], _CHUNK)
        ]
        results = self._workers.map(lambda chunk: work(*chunk), chunks)
        for (first, last), result in zip(chunks, results, strict=True):
            self._looked_at += last - first
            share = start + (done + last) / total / 2
            self._reached(f"{what}, ply {ply}", share, self._looked_at)
            yield result
