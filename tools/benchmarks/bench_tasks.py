"""A benchmark to run by hand, some minutes: what each ply of a game takes from Spark's tasks.

``python -m tools.benchmarks.bench_tasks [GAME …]`` solves games with gravity as the engine
``spark`` does, with its driver and its tasks, but one task after the other in this process: `Tasks`
replaces Spark. For each game it prints the row of `MEASURED` in
`tools/generators/plan_page.py`: rates for a row of the index and for a class, fitted to all plies.

Times are processor time of this process, without what Spark adds: `tools.benchmarks.bench_spark`.
"""

import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self
from unittest import mock

import numpy as np

from marubatsu.engine.large.index import Index
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving import spark_engine
from marubatsu.pipeline.solving.journal import REACHED, Journal
from marubatsu.pipeline.solving.solve_job import Progress, finish, finish_part, make
from marubatsu.pipeline.solving.spark_engine import _Solver
from marubatsu.pipeline.tables.data_set import Unfinished
from marubatsu.pipeline.tables.manifest import Entry
from tools.benchmarks.bench_spark import size

WARM = "4x4k4-gravity"  # a game whose solution loads all kernels


@dataclass
class Spent:
    """The sums of the costs of the tasks of a ply."""

    forward: float = 0.0  # seconds
    backward: float = 0.0  # without the writing of the parts
    encoding: float = 0.0
    sent: int = 0  # bytes, before Spark compresses them
    most: int = 0  # bytes that one task received


@dataclass
class Tasks:
    """The part of Spark that the engine uses, one task after the other."""

    spent: dict[int, Spent] = field(default_factory=lambda: defaultdict(Spent))
    _groups: range = range(0)
    _send: Callable[..., Any] = list
    _receive: Callable[..., Any] = list
    _chunks: int = 0

    def parallelize(self, groups: range, _: int) -> Self:
        """Take the numbers of the groups."""
        self._groups = groups
        return self

    def mapPartitions(self, send: Callable[..., Any]) -> Self:  # noqa: N802, its name in Spark
        """Take what sends a group."""
        self._send = send
        return self

    def partitionBy(self, chunks: int, _: type) -> Self:  # noqa: N802
        """Take how many chunks receive groups."""
        self._chunks = chunks
        return self

    def mapPartitionsWithIndex(self, receive: Callable[..., Any]) -> Self:  # noqa: N802
        """Take what receives them."""
        self._receive = receive
        return self

    def collect(self) -> list[Any]:
        """Do all tasks; return what they yield."""
        step = self._receive.__self__  # type: ignore[attr-defined]
        here, before = self.spent[step.wanted], self._encoding
        started = time.process_time()
        inboxes: dict[int, list[Any]] = defaultdict(list)
        for number in self._groups:
            for chunk, group in self._send([number]):
                inboxes[chunk].append((chunk, group))
        results: list[Any] = []
        for chunk in range(self._chunks):
            inbox = inboxes.pop(chunk, [])
            received = sum(len(words) + len(values) for _, (_, words, values) in inbox)
            here.sent += received
            here.most = max(here.most, received)
            results += self._receive(chunk, inbox)
        seconds = time.process_time() - started
        here.encoding += (encoding := self._encoding - before)
        if step.known < step.wanted:
            here.forward += seconds
        else:
            here.backward += seconds - encoding
        return results

    _encoding: float = 0.0

    def finish_part(self, *arguments: Any) -> Any:
        """Write a part as the engine does, and add the time."""
        started = time.process_time()
        written = _finish_part(*arguments)
        self._encoding += time.process_time() - started
        return written


_finish_part = finish_part


def measure(folder: Path, name: str, tasks: Tasks) -> Iterator[str]:
    """Solve a game with these tasks; yield the lines of its row."""
    game = Game(name)
    index = Index(game)
    bits: dict[int, int] = {}
    kept: dict[int, int] = {}
    classes: dict[int, int] = {}
    seconds: list[float] = []

    def fill(goal: Unfinished, reached: Progress) -> dict[str, Entry]:
        goal.path(REACHED).mkdir(exist_ok=True)
        solver = _Solver(Journal.open(goal), index)
        started = time.process_time()
        with mock.patch.object(spark_engine, "finish_part", tasks.finish_part):
            solver.solve(tasks)
        seconds.append(time.process_time() - started)
        for ply in range(solver.journal.plies or 0):
            bits[ply] = size(goal.path(REACHED) / f"{ply:02}")
            kept[ply] = size(goal.path(f"ply={ply:02}"))
            classes[ply] = sum(row[1] for row in solver.journal.value_counts[ply])
        return finish(solver.journal, index)

    make(folder, game, fill, progress=lambda what, share, rows: None)
    plies = sorted(classes)
    counts = [(index.shape(ply).rows, classes[ply]) for ply in plies]
    spent = [tasks.spent[ply] for ply in plies]
    columns: dict[str, Sequence[float]] = {
        "forward": [each.forward for each in spent],
        "backward": [each.backward for each in spent],
        "encoding": [each.encoding for each in spent],
        "reached": [bits[ply] for ply in plies],
        "kept": [kept[ply] for ply in plies],
    }
    yield f'    "{name}": Measured('
    for what, values in columns.items():
        row, of_class = fit(counts, values)
        yield f"        {what}=Rate({row:.3g}, {of_class:.3g}, total={sum(values):.6g}),"
    done = sum(each.forward + each.backward + each.encoding for each in spent)
    driver, rows = sum(seconds) - done, sum(row for row, _ in counts)
    yield f"        driver=Rate({driver / rows:.3g}, 0, total={driver:.6g}),"
    yield f"        sent={sum(each.sent for each in spent)},"
    yield f"        most={max(each.most for each in spent)},"
    yield "    ),"


def fit(counts: Sequence[tuple[int, int]], values: Sequence[float]) -> tuple[float, float]:
    """Return what a row and a class take, by least squares over the plies; neither is negative."""
    rows, classes = np.array(counts, float).T
    wanted = np.array(values, float)
    (row, of_class), *_ = np.linalg.lstsq(np.stack([rows, classes], 1), wanted, rcond=None)
    if row < 0:
        return 0.0, float(classes @ wanted / (classes @ classes))
    if of_class < 0:
        return float(rows @ wanted / (rows @ rows)), 0.0
    return float(row), float(of_class)


def main(*games: str) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as temporary:
        list(measure(Path(temporary), WARM, Tasks()))
        for game in games:
            for line in measure(Path(temporary), game, Tasks()):
                print(line, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:] or ["5x5k4-gravity", "5x6k4-gravity"])
