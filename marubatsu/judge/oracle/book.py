"""A book: the answers of all positions up to a ply, searched ahead of time.

The searches run in threads of this process, or on Apache Spark, where each position is a task. A
task searches in one thread. Its Python keeps the table for the next task, so each core of a cluster
has one. The driver alone reads and writes files.
"""

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from itertools import chain, islice, takewhile
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

from marubatsu.engine.kernels.exact_search import ExactSearch, SharedTable
from marubatsu.engine.large.values import FAR, Bounds, value_before
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Status
from marubatsu.engine.rules.size import describe, estimate_positions_by_ply
from marubatsu.engine.rules.symmetry import most_members, smallest_member
from marubatsu.pipeline.laboratory.kept_tables import (
    Found,
    add_answers,
    bounds_after_all,
    kept_answers,
    known_answers,
)
from marubatsu.pipeline.solving.spark_session import (
    INSTALLED,
    require_installed,
    require_spark,
    session,
)
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.events import held_back, note
from marubatsu.pipeline.support.progress import Advance
from marubatsu.pipeline.tables.data_set import DataSet

MOST_CLASSES = 1_000_000  # of one ply of a book
_SAMPLE = 12
_LOOK = 0.2  # seconds between looks at the threads
_LONG = 10.0  # seconds; a longer run prints an estimate
_KEEP_EVERY = 30.0  # seconds: so much of the work a kill can cost


class Book(NamedTuple):
    """What a run has done."""

    classes: int  # of unfinished positions up to the last ply
    searched: int  # of them in this run
    left: int  # of the last ply, for want of time


Searches: TypeAlias = "ThreadSearches | SparkSearches"
"""What searches positions for a book; so many threads may call `search` as ``at_once`` says."""


def write_book(
    data_set: DataSet, plies: int, searches: Searches, *, seconds: float, progress: Advance
) -> Book:
    """Search all classes with ``plies`` marks, and derive those with fewer.

    Kept answers are not searched again, and known ones of the ply before bound the new ones. After
    ``seconds``, and after a signal, the new answers are kept. An estimate of the time follows once
    a random sample of classes has been searched.
    Raises UsageError for too many classes, DataError when answers are damaged or cannot be
    written, and Interrupted after a signal.
    """
    levels = _levels(data_set.game, plies)
    kept = kept_answers(data_set)
    todo = [position for position in levels[-1] if position not in kept]
    Random(0).shuffle(todo)  # noqa: S311, the first of them are a fair sample
    todo[_SAMPLE:] = sorted(todo[_SAMPLE:])  # Neighbours share much of the table.
    start = bounds_after_all(data_set.game, chain(*levels[-2:-1]), known_answers(data_set))
    ends = time.monotonic() + seconds
    new = NewAnswers(data_set)

    def search(position: Position) -> Found | None:
        return searches.search(position, start.get(position), ends)

    def look() -> None:
        signals.stop_if_asked()
        progress(new.count / len(todo), f"{new.count:,} of {len(todo):,} classes")

    with held_back() as signals, ThreadPoolExecutor(searches.at_once) as pool:
        try:
            in_time = takewhile(lambda _: time.monotonic() < ends, todo)
            for position, answer in _unordered(pool, searches.at_once, search, in_time, look):
                if answer is None:
                    continue
                new.add(position, answer)
                if new.count == _SAMPLE:
                    new.tell_estimate(len(todo))
        finally:
            searches.stop()
            new.keep()
    left = len(todo) - new.count
    derived = {} if left else _derived(data_set, levels)
    if derived:
        add_answers(data_set, derived)
    return Book(sum(map(len, levels)), new.count, left)


class ThreadSearches:
    """Searches in threads of this process, which share a table."""

    def __init__(self, game: Game, memory: int, threads: int = 1) -> None:
        """Make room for a table of ``memory`` bytes."""
        self.at_once = threads
        self._game, self._table, self._own = game, SharedTable(game, memory), threading.local()
        self._is_stopped = False

    def search(self, position: Position, start: Bounds | None, ends: float) -> Found | None:
        """Search a position in this thread; its value is within ``start``.

        Return None when it is ``ends`` on the monotonic clock, and after `stop`.
        """
        if not hasattr(self._own, "search"):
            self._own.search = ExactSearch(self._game, memory=self._table)
        exact: ExactSearch = self._own.search
        before = exact.nodes
        for bounds in exact.narrow(position, start):
            if bounds.is_exact:
                return Found(bounds.low, exact.nodes - before)
            if self._is_stopped or time.monotonic() > ends:
                break
        return None

    def stop(self) -> None:
        """Let each thread end at its next look at the clock."""
        self._is_stopped = True


class NewAnswers:
    """The answers of a run, and those of them that are not kept yet."""

    def __init__(self, data_set: DataSet) -> None:
        self._data_set = data_set
        self._fresh: dict[Position, Found] = {}
        self._began = self._kept = time.monotonic()
        self.count = 0

    def add(self, position: Position, answer: Found) -> None:
        """Take an answer, and keep all when the last time is long ago."""
        self._fresh[position] = answer
        self.count += 1
        if time.monotonic() > self._kept + _KEEP_EVERY:
            self.keep()

    def keep(self) -> None:
        """Write the new answers."""
        if self._fresh:
            add_answers(self._data_set, self._fresh)
        self._fresh, self._kept = {}, time.monotonic()

    def tell_estimate(self, todo: int) -> None:
        """Tell how long the run may take, from what it has done."""
        seconds = (time.monotonic() - self._began) / self.count * (todo - self.count)
        if seconds > _LONG:
            text = f"{todo:,} classes to search, about {math.ceil(seconds / 60):,} min or less"
            note("estimate", text, classes=todo, seconds_to_search=round(seconds, 1))


def _unordered(
    pool: ThreadPoolExecutor,
    threads: int,
    search: Callable[[Position], Found | None],
    positions: Iterable[Position],
    look: Callable[[], None],
) -> Iterator[tuple[Position, Found | None]]:
    """Yield each position with its answer, as soon as a thread has it; ``look`` now and then."""
    left, running = iter(positions), dict[Future[Found | None], Position]()
    while True:
        for position in islice(left, threads - len(running)):
            running[pool.submit(search, position)] = position
        if not running:
            return
        done, _ = wait(running, timeout=_LOOK, return_when=FIRST_COMPLETED)
        look()
        yield from ((running.pop(each), each.result()) for each in done)


def _levels(game: Game, plies: int) -> list[list[Position]]:
    """Return the classes of unfinished positions by ply. Raises UsageError for too many."""
    for ply, positions in enumerate(islice(estimate_positions_by_ply(game), plies + 1)):
        _require_few(game, ply, positions / most_members(game), 2 * MOST_CLASSES)
    levels = [[EMPTY]]
    for ply in range(1, plies + 1):
        classes = {
            smallest_member(game, after)
            for position in levels[-1]
            for after in map(position.after, game.legal_moves(position))
        }
        _require_few(game, ply, len(classes), MOST_CLASSES)
        levels.append(sorted(each for each in classes if game.status(each) is Status.PLAYING))
    return levels


def _require_few(game: Game, ply: int, classes: float, most: int) -> None:
    if classes > most:
        raise UsageError(
            f"{game.name} has {describe(classes)} classes with {ply} marks: expected --plies with "
            f"at most {MOST_CLASSES:,}"
        )


def _derived(data_set: DataSet, levels: list[list[Position]]) -> dict[Position, Found]:
    """Derive the values of all plies but the last from the ply after each."""
    game, kept = data_set.game, kept_answers(data_set)
    derived: dict[Position, Found] = {}
    for position in (each for level in reversed(levels[:-1]) for each in level):
        if position not in kept:
            after = map(position.after, game.legal_moves(position))
            best = max(value_before(_value(game, each, kept)) for each in after)
            kept[position] = derived[position] = Found(best, 0)
    return derived


def _value(game: Game, position: Position, values: dict[Position, Found]) -> int:
    status = game.status(position)
    if status is Status.PLAYING:
        return values[smallest_member(game, position)].value
    return FAR * position.turn.sign * status.score


KEPT = "the answers so far are kept, and the same command goes on from them"

_PATIENCE = 0.2  # seconds between two orders to stop


class SparkSearches:
    """Searches that the cores of a Spark do."""

    def __init__(self, context: Any, game: Game, memory: int) -> None:
        """Let each core have a table of ``memory`` bytes."""
        self.at_once = context.defaultParallelism
        self._context = context
        self._search = partial(search_in_task, INSTALLED, game.notation, memory)
        self._running: set[Position] = set()
        self._is_stopped = False

    def search(self, position: Position, start: Bounds | None, ends: float) -> Found | None:
        """Search a position on some core, as in `ThreadSearches`."""
        self._running.add(position)
        try:
            if self._is_stopped:
                return None
            task = partial(self._search, position, start, ends - time.monotonic())
            answer: Found | None
            (answer,) = self._context.parallelize([0], 1).map(lambda _: task()).collect()
        finally:
            self._running.discard(position)
        return answer

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


def search_in_task(
    version: str,
    notation: str,
    memory: int,
    position: Position,
    start: Bounds | None,
    seconds: float,
) -> Found | None:
    """Search a position in a task. Raises DataError where something else is installed."""
    require_installed(version)
    return _searches(notation, memory).search(position, start, time.monotonic() + seconds)


@lru_cache(maxsize=1)
def _searches(notation: str, memory: int) -> ThreadSearches:
    return ThreadSearches(Game(notation), memory)
