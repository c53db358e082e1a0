"""Real runs that are killed, interrupted or refused at any step on the disk.

``python -m tests.helpers.processes.stopping JOB GAME BEFORE INTO HOW STRIDE`` prints what became
of each.
"""

import io
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from errno import ENOSPC
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest import mock

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import tree_stages


class Stop(NamedTuple):
    """The end of a run that was stopped."""

    root: Path
    step: str  # where it was stopped; empty when it ran to its end
    message: str  # its error; empty without one
    code: int  # its exit code, negative for a signal


def build_all(root: Path, game: Game) -> None:
    build(DataSet(root, game), tree_stages(game))


def solve_all(root: Path, game: Game) -> None:
    from marubatsu.pipeline.solving.local_engine import solve

    solve(root, game, 10**9)


def write_book_all(root: Path, game: Game) -> None:
    """Search the first positions of a game."""
    from marubatsu.judge.oracle.book import ThreadSearches, write_book

    searches = ThreadSearches(game, memory=1)
    write_book(DataSet(root, game), 2, searches, seconds=60, progress=lambda share, note="": None)


def publish_all(root: Path, game: Game) -> None:
    """Publish what there is of a game, at least its tables, into a folder next to its data."""
    from marubatsu.pipeline.publishing.publish import publish

    if not (root / game.name).exists():
        build_all(root, game)
    publish(root, [game], root / "published", "2026-11-22", None, lambda share: None)


JOBS = {"build": build_all, "solve": solve_all, "book": write_book_all,
        "publish": publish_all}  # fmt: skip


def stopped_at_every_step(
    job: str, game: Game, before: Path, into: Path, how: str, stride: int = 1
) -> list[Stop]:
    """Do a job over copies of a root, each time stopped some steps later, up to its end.

    Each run is a process of its own; ``how`` is a signal that it sends itself, or ENOSPC.
    """
    words = [job, game.name, str(before), str(into), how, str(stride)]
    run = subprocess.run(
        [sys.executable, "-m", "tests.helpers.processes.stopping", *words],
        cwd=CHECKOUT, stdout=subprocess.PIPE, timeout=300, check=True,
    )  # fmt: skip
    stops = map(json.loads, run.stdout.splitlines())
    return [Stop(into / str(goal * stride), *stop) for goal, stop in enumerate(stops)]


def stop_at_every_step(
    job: str, game: Game, before: Path, into: Path, how: str, stride: int
) -> None:
    """Print a line for each run, up to the first that comes to its end."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # Heard even in the background.
    work = JOBS[job]
    with TemporaryDirectory() as folder:
        work(Path(folder), game)  # Loads what each run would load, and remembers it.
    for goal in itertools.count(step=stride):
        root = shutil.copytree(before, into / str(goal))
        reader, writer = os.pipe()
        child = os.fork()  # No thread runs here.
        if not child:
            os._exit(Steps(goal, how, writer).run(partial(work, root, game)))
        os.close(writer)
        with os.fdopen(reader, encoding="utf-8") as raised:
            step, _, message = raised.read().partition("\n")
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(json.dumps([step, message, code]), flush=True)
        if not step:
            return


class Steps:
    """The steps of a run on the disk, counted, and stopped at one of them."""

    def __init__(self, goal: int, how: str, report: int) -> None:
        self.count = itertools.count()
        self.goal = goal
        self.how = how
        self.report = report  # a pipe

    def run(self, work: Callable[[], None]) -> int:
        with ExitStack() as patches:
            for name in ("mkdir", "fsync", "replace", "rename", "unlink"):
                patches.enter_context(mock.patch.object(os, name, self.watched(name)))
            patches.enter_context(mock.patch.object(io, "open", self.open))
            try:
                work()
            except DataError as error:
                os.write(self.report, str(error).encode())
                return error.exit_code
            except KeyboardInterrupt:
                return 128 + signal.SIGINT
        return 0

    def reach(self, step: str) -> None:
        if self.how == "ENOSPC" and ("after" in step or "unlink" in step):
            return  # A full disk refuses new writes, and no removal.
        if next(self.count) == self.goal:
            os.write(self.report, f"{step}\n".encode())
            if self.how == "ENOSPC":
                raise OSError(ENOSPC, os.strerror(ENOSPC))
            os.kill(os.getpid(), signal.Signals[self.how])

    def watched(self, name: str) -> Callable[..., Any]:
        """Return a function of `os` that can be stopped before and after."""
        act = getattr(os, name)

        def watching(*arguments: Any, **options: Any) -> Any:
            self.reach(f"before {name}")
            result = act(*arguments, **options)
            self.reach(f"after {name}")
            return result

        return watching

    def open(self, file: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        """Open a file whose writing can be stopped half-way; reading goes on as ever."""
        if "x" not in mode:
            return open(file, mode, *arguments, **options)  # noqa: PTH123
        self.reach("before open")
        out = WatchedFile(io.FileIO(file, mode.replace("b", "")))
        out.steps = self
        self.reach("after open")
        return out


class WatchedFile(io.BufferedWriter):
    """A file that is written in two halves, each of them really."""

    steps: Steps

    def write(self, data: Any) -> int:
        """Write data, and flush each half, so that a stop between them tears the file."""
        half = len(data) // 2
        for step, part in (("before", data[:half]), ("within", data[half:])):
            self.steps.reach(f"{step} write")
            super().write(part)
            self.flush()
        self.steps.reach("after write")
        return len(data)


if __name__ == "__main__":
    _, job_, game_, before_, into_, how_, stride_ = sys.argv
    stop_at_every_step(job_, Game(game_), Path(before_), Path(into_), how_, int(stride_))
