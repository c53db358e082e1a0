"""Solve a game on Apache Spark: its tasks run our kernels, and it carries blocks between them.

::

    send       a part of a ply -> its blocks, once for each chunk of the other ply with a neighbour
    receive    the blocks sent to a chunk -> its rows, and their parts

A chunk is a part, or as many parts as a block has. The index numbers the neighbours of a block, so
a task knows which chunks need it, and one shuffle by the number of the chunk joins both plies. With
gravity a pass forward comes first: which rows play reaches.

The files are those of the local engine, journal included: each engine resumes what the other began.
Driver and executors need the data under the same path, and the same marubatsu installed.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from marubatsu import __version__
from marubatsu.engine.large.index import Index
from marubatsu.engine.large.kernels import (
    evaluate,
    evaluate_reached,
    go_on,
    neighbours_of,
    reach,
    show_again,
)
from marubatsu.engine.large.tables import (
    NONE_REACHED,
    NOTHING,
    Neighbours,
    Ply,
    Reached,
    Rules,
    Words,
    bytes_of,
    packed,
    ply_of,
    ranks_of,
    rules_of,
    unpacked,
    words_of,
)
from marubatsu.engine.large.values import NULL, Values
from marubatsu.engine.rules.game import Game, GameError
from marubatsu.pipeline.solution.parts import part_file, parts, read_values, rows_of_part
from marubatsu.pipeline.solving.journal import REACHED, Journal, Part, reached_file
from marubatsu.pipeline.solving.solve_job import Progress, Solved, finish, finish_part, make
from marubatsu.pipeline.solving.spark_session import require_spark, session
from marubatsu.pipeline.stages.staleness import VERSION
from marubatsu.pipeline.store.data_set import Unfinished, near
from marubatsu.pipeline.store.held_file import file_sha256
from marubatsu.pipeline.store.manifest import Entry
from marubatsu.pipeline.store.parquet import WRITER
from marubatsu.pipeline.store.solving_state import JOURNAL
from marubatsu.pipeline.support.errors import DataError

LOG = f"{REACHED}/spark.log"
"""Spark's output during a run, in the folder of the unfinished solution."""

MOST_ROWS = 1 << 30
"""Rows of a block, at most: a task has a block and its neighbours in memory."""

Sent: TypeAlias = tuple[int, tuple[int, bytes, bytes]]
"""A chunk, and what a part has for it: the part's number, its blocks' numbers, their values."""

_SAME = f"marubatsu {__version__}, {WRITER}, {VERSION}"  # equal on the driver and all executors
_PATIENCE = 0.2  # seconds between two checks for signals


def solve(
    root: Path,
    game: Game,
    *,
    master: str | None = None,
    memory: int | None = None,
    progress: Progress = lambda what, share, rows: None,
    on_wait: Callable[[], None] = lambda: None,
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
        solver = _Solver(Journal.open(goal, VERSION), index)
        if not solver.is_done:
            _run(solver, master, memory, reached)
        return finish(solver.journal, index)

    return make(root, game, fill, progress=progress, on_wait=on_wait)


# --- what runs in the tasks -----------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """From a ply that is known to the one before it, or forward to the one after, for the tasks."""

    root: str
    notation: str
    known: int
    wanted: int
    version: str  # `_SAME` on the driver

    def send(self, parts_of_known: Iterable[tuple[int, int, int]]) -> Iterator[Sent]:
        """Yield the blocks of parts for each chunk that has a neighbour of them."""
        for part, first, last in parts_of_known:
            known, wanted = self._ply(self.known), self._ply(self.wanted)
            values = self._read(known, part, first, last).data
            begin, end = first // known.size, (last - 1) // known.size + 1
            near = np.empty((end - begin, self._rules.cells), np.int64)
            neighbours_of(known, begin, end, self._is_forward, self._rules, near)
            block, cell = np.nonzero(near >= 0)
            start = near[block, cell] * wanted.size
            chunks = np.concatenate([start, start + wanted.size - 1]) // rows_of_chunk(wanted)
            pairs = np.unique(chunks * known.blocks.size + begin + np.tile(block, 2))
            chunks, blocks = np.divmod(pairs, known.blocks.size)
            cuts = np.flatnonzero(np.diff(chunks)) + 1
            for numbers, chunk in zip(np.split(blocks, cuts), chunks[[0, *cuts]], strict=True):
                each = (number * known.size - first for number in numbers.tolist())
                rows = b"".join(values[max(at, 0) : at + known.size] for at in each)
                yield int(chunk), (part, numbers.tobytes(), rows)

    def reach(self, chunk: int, sent: Iterable[Sent]) -> Iterator[bool]:
        """Write which rows of a chunk play reaches; yield whether it reaches any."""
        of, first, last = self._rows(chunk)
        words = words_of(last - first)
        reach(of, first, last, self._rules, self._received_reached(sent), words)
        with self._goal.path(reached_file(self.wanted)).open("r+b") as file:
            file.seek(first // 8)
            file.write(bytes_of(words, last - first).data)
            file.flush()
            os.fsync(file.fileno())
        yield bool(words.any())

    def value(self, chunk: int, sent: Iterable[Sent]) -> Iterator[tuple[int, Part]]:
        """Write the parts of a chunk; yield what the journal notes of each."""
        of, first, last = self._rows(chunk)
        values = np.full(last - first, NULL)
        if self._rules.gravity:
            words, after = self._words(of, first, last), self._received_reached(sent)
            reached = unpacked(words, values.size)
            found = np.empty(np.count_nonzero(reached), np.int8)
            evaluate_reached(of, first, last, self._rules, after, words, found)
            values[reached] = found
        else:
            evaluate(of, first, last, self._rules, self._received(sent), values)
        for part, start, stop in parts(of.rows):
            if first <= start < last:
                shown = values[start - first : stop - first]
                yield part, finish_part(self._goal, of, part, start, self._rules, shown)

    def _rows(self, chunk: int) -> tuple[Ply, int, int]:
        """Return the ply of a chunk, its first row, and the row after its last."""
        of = self._ply(self.wanted)
        first = chunk * rows_of_chunk(of)
        return of, first, min(first + rows_of_chunk(of), of.rows)

    def _received(self, sent: Iterable[Sent]) -> Neighbours:
        """Put blocks in order. A block in several parts comes in as many pieces."""
        pieces = [piece for _, piece in sorted(sent)]
        if not pieces:
            return NOTHING
        known = self._ply(self.known)
        numbers = np.unique(np.frombuffer(b"".join(each for _, each, _ in pieces), np.int64))
        values = np.frombuffer(bytearray().join(each for *_, each in pieces), np.int8)
        if not self._is_forward:
            blocks = known._replace(blocks=known.blocks[numbers])
            show_again(blocks, 0, values.size, self._rules, values)
        slots = np.zeros(known.blocks.size, np.int32)
        slots[numbers] = np.arange(numbers.size)
        return Neighbours(values, slots, known.size)

    def _received_reached(self, sent: Iterable[Sent]) -> Reached:
        """Put blocks of a game with gravity in order, and leave out what play does not reach."""
        values, slots, size = self._received(sent)
        if not size:
            return NONE_REACHED
        reached = values != NULL
        words = packed(reached)
        ranks = np.empty_like(words)
        ranks_of(words, ranks)
        return Reached(words, ranks, values[reached], slots, size)

    def _read(self, known: Ply, part: int, first: int, last: int) -> Values:
        """Read the values of a part; in the pass forward, 0 for those of its rows that go on."""
        if not self._is_forward:
            return read_values(self._goal.path(part_file(self.known, part)))
        words = self._words(known, first, last)
        go_on(known, first, last, self._rules, words)
        return np.where(unpacked(words, last - first), np.int8(0), NULL)

    def _words(self, of: Ply, first: int, last: int) -> Words:
        """Read which of the rows of a ply play reaches; ``first`` begins a part."""
        words = words_of(last - first)
        with self._goal.path(reached_file(of.number)).open("rb") as file:
            file.seek(first // 8)
            file.readinto(bytes_of(words, last - first).data)
        return words

    @property
    def _is_forward(self) -> bool:
        return self.known < self.wanted

    @property
    def _goal(self) -> Unfinished:
        """The unfinished solution. Raises DataError where it is not shared with the driver."""
        goal = Unfinished(Path(self.root), Game(self.notation))
        if not goal.path(JOURNAL).exists():
            raise DataError(
                f"not all executors see {near(goal.folder)}: name a folder with --data that all "
                "machines have under the same path"
            )
        return goal

    @property
    def _rules(self) -> Rules:
        return _prepared(self.notation, self.version)[1]

    def _ply(self, ply: int) -> Ply:
        return ply_of(_prepared(self.notation, self.version)[0], ply)


@lru_cache(maxsize=1)
def _prepared(notation: str, version: str) -> tuple[Index, Rules]:
    """Prepare a game, once in each process. Raises DataError for another version."""
    if version != _SAME:
        raise DataError(
            "the executors have another version of marubatsu or pyarrow than the driver: "
            "install the same on all machines"
        )
    index = Index(Game(notation))
    return index, rules_of(index)


def rows_of_chunk(ply: Ply) -> int:
    """Return the rows of a chunk of a ply: whole parts, and no fewer than a block has."""
    part = rows_of_part(ply.rows)
    return -(-ply.size // part) * part


# --- what runs in the driver ----------------------------------------------------------------------


class _Solver:
    """One run over the plies that a journal leaves to do."""

    def __init__(self, journal: Journal, index: Index) -> None:
        self.journal = journal
        self.told: tuple[str, float, int] = ("starting Spark", 0.0, 0)
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
                path = journal.goal.path(reached_file(ply))
                journal.forward_done(file_sha256(path)[1])

    def _reaches(self, ply: int) -> bool:
        """Write which rows of a ply play reaches; return whether it reaches any."""
        if ply == 0:
            self.journal.goal.write(reached_file(0), memoryview(b"\1"))
            return True
        with self.journal.goal.path(reached_file(ply)).open("wb") as file:
            file.truncate(-(-self._rows[ply] // 8))
        return any(self._do(ply - 1, ply, Step.reach))

    def _backward(self) -> None:
        """Value every row, from the last ply to the first, and write the parts."""
        journal = self.journal
        for ply in reversed(range(journal.plies or len(self._rows))):
            if not journal.left(ply, self._rows[ply]):
                continue
            written = self._do(ply + 1, ply, Step.value)
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
        step = Step(str(goal.root.resolve()), goal.game.notation, known, wanted, _SAME)
        is_known = known < wanted or known in self.journal.backward
        sources = list(parts(self._rows[known])) if is_known else []
        size = rows_of_chunk(ply_of(self._index, wanted))
        found: list[Any] = (
            self._context.parallelize(sources, max(1, len(sources)))
            .mapPartitions(step.send)
            .partitionBy(-(-self._rows[wanted] // size), int)
            .mapPartitionsWithIndex(what.__get__(step))
            .collect()
        )
        return found

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
        self.told = f"{what}, ply {wanted}", share, self._looked_at
        self._looked_at += self._rows[wanted]


class _Stopped(BaseException):
    """An order to stop, in the thread of Spark."""


def _run(solver: _Solver, master: str | None, memory: int | None, reached: Progress) -> None:
    """Run Spark in a thread, while this thread handles signals and reports the progress."""
    log = solver.journal.goal.path(LOG)
    log.parent.mkdir(exist_ok=True)
    contexts: list[Any] = []

    def work() -> None:
        with session(master, memory, log) as context:
            contexts.append(context)
            solver.solve(context)

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(work)
        try:
            while wait([working], _PATIENCE).not_done:
                reached(*solver.told)
        except BaseException:
            solver.is_stopped = True
            while wait([working], _PATIENCE).not_done:  # It may start a job after its check.
                for context in contexts:
                    with suppress(Exception):  # It may have ended just now.
                        context.cancelAllJobs()
            raise
        working.result()
