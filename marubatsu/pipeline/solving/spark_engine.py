"""Solve a game on Apache Spark: its tasks run our kernels, and it carries blocks between them.

A shuffle by the number of the chunk joins two plies::

    send       a group of blocks of a ply, once for each chunk of the other ply with a neighbour
    receive    the groups sent to a chunk -> its rows, and their parts

A chunk is a part, or as many parts as a block has. The index numbers the neighbours of a block, so
a task knows which chunks need it. With gravity a pass forward comes first: which rows play reaches,
a bit each. Only those have values.

The files are those of the local engine, journal included: each engine resumes what the other began.
Driver and executors need the data under the same path, and the same marubatsu installed.
"""

import gc
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from marubatsu.engine.large.arrays import (
    NONE_REACHED,
    WORD,
    Neighbours,
    Ply,
    Reached,
    Rules,
    Words,
    first_rows_of,
    packed,
    ply_of,
    ranks_of,
    rules_of,
    words_of,
)
from marubatsu.engine.large.gravity_passes import go_on, reach, values_of_rows
from marubatsu.engine.large.index import Index
from marubatsu.engine.large.links import neighbours_of
from marubatsu.engine.large.passes import evaluate
from marubatsu.engine.large.rows import show_again
from marubatsu.engine.large.values import NULL, Values
from marubatsu.engine.rules.game import Game, GameError
from marubatsu.pipeline.solving.journal import (
    REACHED,
    Journal,
    WrittenPart,
    reached_sha256,
    read_reached,
    remove_reached,
    write_reached,
)
from marubatsu.pipeline.solving.solution_files import joined_rows, read_values, rows_of_blocks
from marubatsu.pipeline.solving.solve_job import (
    Progress,
    Solved,
    finish,
    finish_part,
    make,
    name_compact_form,
)
from marubatsu.pipeline.solving.spark_session import (
    INSTALLED,
    require_installed,
    require_spark,
    session,
)
from marubatsu.pipeline.support.background import in_background
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import Unfinished
from marubatsu.pipeline.tables.manifest import Entry
from marubatsu.pipeline.tables.solution_parts import part_file, parts, rows_of_part
from marubatsu.pipeline.tables.work_in_progress import JOURNAL

LOG = f"{REACHED}/spark.log"
"""Spark's output during a run, in the folder of the unfinished solution."""

MOST_ROWS = 1 << 30
"""Rows of a block, at most: a task has a block and its neighbours in memory."""


def solve(
    root: Path,
    game: Game,
    *,
    master: str | None = None,
    memory: int | None = None,
    progress: Progress = lambda name, share, rows: None,
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
        if 0 not in solver.journal.backward:
            _run(solver, master, memory, reached)
        return finish(solver.journal, index)

    return make(root, game, fill, progress=progress)


class _Solver:
    """One run over the plies that a journal leaves to do."""

    def __init__(self, journal: Journal, index: Index) -> None:
        self.journal = journal
        self.state: tuple[str, float, int] = ("starting Spark", 0.0, 0)
        self.is_stopped = False
        self._index, self._ply = index, partial(ply_of, index)
        self._rows = [index.shape(ply).rows for ply in range(index.game.cells + 1)]
        self._looked_at = 0

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

    def _do(self, known: int, wanted: int, task: Callable[..., Any]) -> list[Any]:
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
            .mapPartitionsWithIndex(task.__get__(step))
            .collect()
        )
        return results

    def _begin(self, known: int, wanted: int) -> None:
        """Note the ply that comes; stop when asked to."""
        if self.is_stopped:
            raise _Stopped
        is_forward = known < wanted
        direction = "forward" if is_forward else "backward"
        done = self._rows[:wanted] if is_forward else self._rows[wanted + 1 :]
        share = sum(done) / sum(self._rows)
        if self._index.game.gravity:
            share = share / 2 + (0.0 if is_forward else 0.5)
        self.state = f"{direction}, ply {wanted}", share, self._looked_at
        self._looked_at += self._rows[wanted]


class _Stopped(BaseException):
    """An order to stop, in the thread of Spark."""


def _run(solver: _Solver, master: str | None, memory: int | None, reached: Progress) -> None:
    """Run Spark in a thread, while this thread handles signals and reports the progress."""
    log = solver.journal.goal.path(LOG)
    log.parent.mkdir(exist_ok=True)
    contexts: list[Any] = []

    def work() -> None:
        with session(master, memory, log, Unfinished.after_failed_write) as context:
            contexts.append(context)
            solver.solve(context)

    def stop() -> None:
        solver.is_stopped = True
        for context in contexts:
            with suppress(Exception):  # It may have ended just now.
                context.cancelAllJobs()

    in_background(work, stop, lambda: reached(*solver.state))


Group: TypeAlias = tuple[int, bytes, bytes]
"""The number of a group of blocks; with gravity a bit for each row, in whole words; values."""


@dataclass(frozen=True)
class PlyStep:
    """From a ply that is known to the one before it, or forward to the one after, for the tasks."""

    root: str
    notation: str
    known: int
    wanted: int
    version: str  # `spark_session.INSTALLED` on the driver

    def send(self, groups: Iterable[int]) -> Iterator[tuple[int, Group]]:
        """Yield groups of blocks for each chunk that has a neighbour of them, with its number."""
        _keep_what_is_loaded()
        for number in groups:
            known, wanted = self._ply(self.known), self._ply(self.wanted)
            first, last = _group(known, number)
            words, values = self._read(known, first, last)
            begin, end = first // known.size, last // known.size
            near = np.empty((end - begin, self._rules.cells), np.int64)
            neighbours_of(known, begin, end, self._is_forward, self._rules, near)
            start = near[near >= 0] * wanted.size
            each = np.concatenate([start, start + wanted.size - 1]) // rows_of_chunk(wanted)
            group = number, words.tobytes(), values.tobytes()
            for chunk in np.unique(each).tolist():
                yield chunk, group

    def reach(self, chunk: int, sent: Iterable[tuple[int, Group]]) -> Iterator[bool]:
        """Write which rows of a chunk play reaches; yield whether it reaches any."""
        _keep_what_is_loaded()
        of, first, last = self._rows(chunk)
        words = words_of(last - first)
        reach(of, first, last, self._rules, self._received(sent), words)
        write_reached(self._goal, self.wanted, words, last - first, first)
        yield bool(words.any())

    def value(
        self, chunk: int, sent: Iterable[tuple[int, Group]]
    ) -> Iterator[tuple[int, WrittenPart]]:
        """Write the parts of a chunk; yield what the journal notes of each."""
        _keep_what_is_loaded()
        of, first, last = self._rows(chunk)
        after = self._received(sent)
        if self._rules.gravity:
            words = self._words(of, first, last)
            values = values_of_rows(of, first, last, self._rules, after, words)
        else:
            known = Neighbours(after.values, after.first_rows)
            begin, end = first // of.size * of.size, -(-last // of.size) * of.size  # whole blocks
            found = np.empty(end - begin, np.int8)
            evaluate(of, begin, end, self._rules, known, found)
            values = found[first - begin : last - begin]
        for part, start, stop in parts(of.rows):
            if first <= start < last:
                shown = values[start - first : stop - first]
                yield part, finish_part(self._goal, of, part, start, self._rules, shown)

    def _rows(self, chunk: int) -> tuple[Ply, int, int]:
        """Return the ply of a chunk, its first row, and the row after its last."""
        of = self._ply(self.wanted)
        first = chunk * rows_of_chunk(of)
        return of, first, min(first + rows_of_chunk(of), of.rows)

    def _received(self, sent: Iterable[tuple[int, Group]]) -> Reached:
        """Put the groups sent to a chunk in order; without gravity all rows have values."""
        groups = sorted(group for _, group in sent)
        if not groups:
            return NONE_REACHED
        known = self._ply(self.known)
        first_rows, row = first_rows_of(known), 0
        for number, some_words, some_values in groups:
            first, last = _group(known, number)
            first_rows[first // known.size : last // known.size] += row - _first_of_word(first)
            row += 8 * len(some_words) or len(some_values)
        words = np.frombuffer(bytearray().join(words for _, words, _ in groups), np.int64)
        values = np.frombuffer(bytearray().join(values for *_, values in groups), np.int8)
        ranks = np.empty_like(words)
        if self._rules.gravity:
            ranks_of(words, ranks)
        return Reached(words, ranks, values, first_rows)

    def _read(self, known: Ply, first: int, last: int) -> tuple[Words, Values]:
        """Read what is known of whole blocks, from `_first_of_word` on.

        In the pass forward that is from which of their rows the game goes on.
        """
        begin = _first_of_word(first)
        if self._is_forward:
            words = self._words(known, begin, last)
            go_on(known, begin, last, self._rules, words)
            return words, NONE_REACHED.values
        path = self._goal.path
        values = joined_rows(
            known.rows, begin, last, lambda number: read_values(path(part_file(self.known, number)))
        )
        show_again(known, first, last, self._rules, values[first - begin :])
        if not self._rules.gravity:
            return NONE_REACHED.words, values
        reached = values != NULL
        return packed(reached), values[reached]

    def _words(self, of: Ply, first: int, last: int) -> Words:
        """Read which of the rows of a ply play reaches; ``first`` begins a word."""
        words = words_of(last - first)
        read_reached(self._goal, of.number, words, last - first, first)
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


def _keep_what_is_loaded() -> None:
    """Spare PySpark, which looks for garbage after each task, to look in all of Numba as well."""
    gc.freeze()


@lru_cache(maxsize=1)
def _prepared(notation: str, version: str) -> tuple[Index, Rules]:
    """Prepare a game, once in each process. Raises DataError for another version."""
    require_installed(version)
    index = Index(Game(notation))
    return index, rules_of(index)


def rows_of_chunk(ply: Ply) -> int:
    """Return the rows of a chunk of a ply: whole parts, and no fewer than a block has."""
    part = rows_of_part(ply.rows)
    return -(-ply.size // part) * part


def rows_of_group(ply: Ply) -> int:
    """Return the rows of a group of blocks of a ply: as many as a part has, or one block."""
    return rows_of_blocks(ply.size, rows_of_part(ply.rows))


def _group(ply: Ply, number: int) -> tuple[int, int]:
    """Return the first row of a group of blocks, and the row after its last."""
    rows = rows_of_group(ply)
    return number * rows, min((number + 1) * rows, ply.rows)


def _first_of_word(row: int) -> int:
    """Return the first row in the word of a row."""
    return row // WORD * WORD
