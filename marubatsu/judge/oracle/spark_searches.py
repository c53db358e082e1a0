"""The searches of a book on Apache Spark: each position is a task.

A task searches in one thread. Its Python keeps the table for the next task, so each core of a
cluster has one. The driver alone reads and writes files.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from marubatsu.engine.large.values import Bounds
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.judge.oracle.book import Searches, ThreadSearches
from marubatsu.pipeline.laboratory.answers_table import Found
from marubatsu.pipeline.solving.spark_session import (
    INSTALLED,
    require_installed,
    require_spark,
    session,
)

KEPT = "the answers so far are kept, and the same command goes on from them"

_PATIENCE = 0.2  # seconds between two orders to stop


class SparkSearches(Searches):
    """Searches that the cores of a Spark do."""

    def __init__(self, context: Any, game: Game, memory: int) -> None:
        """Let each core have a table of ``memory`` bytes."""
        self.at_once = context.defaultParallelism
        self._context = context
        self._search = partial(found_in_task, INSTALLED, game.notation, memory)
        self._running: set[Position] = set()
        self._is_stopped = False

    def found(self, position: Position, start: Bounds | None, ends: float) -> Found | None:
        """Search a position on some core."""
        self._running.add(position)
        try:
            if self._is_stopped:
                return None
            task = partial(self._search, position, start, ends - time.monotonic())
            found: Found | None
            (found,) = self._context.parallelize([0], 1).map(lambda _: task()).collect()
        finally:
            self._running.discard(position)
        return found

    def stop(self) -> None:
        """Cancel all tasks."""
        self._is_stopped = True
        while self._running:  # A job may start after the order.
            with suppress(Exception):  # It may have ended just now.
                self._context.cancelAllJobs()
            time.sleep(_PATIENCE)


@contextmanager
def spark_searches(game: Game, memory: int, master: str | None) -> Iterator[SparkSearches]:
    """Start Spark on a master URL, or as its own configuration says; stop it at the end.

    Raises UsageError when Spark or Java are not installed, DataError for errors in them.
    """
    require_spark()
    with (
        TemporaryDirectory(prefix="marubatsu-") as folder,
        session(master, None, Path(folder, "spark.log"), KEPT) as context,
    ):
        yield SparkSearches(context, game, memory)


def found_in_task(
    version: str,
    notation: str,
    memory: int,
    position: Position,
    start: Bounds | None,
    seconds: float,
) -> Found | None:
    """Search a position in a task. Raises DataError where something else is installed."""
    require_installed(version)
    return _searches(notation, memory).found(position, start, time.monotonic() + seconds)


@lru_cache(maxsize=1)
def _searches(notation: str, memory: int) -> ThreadSearches:
    """Prepare the searches of a game, once in each process."""
    return ThreadSearches(Game(notation), memory)
