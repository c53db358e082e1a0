"""Solve a game on this machine, with all its cores and a limit on memory.

::

    forward    with gravity: which rows of each ply play reaches, a bit each, in a file
    backward   the values of each ply from those of the next, and its parts

The data of two plies is in memory, or in files that are mapped into it: values, one for each row of
the index. With gravity play reaches few of the rows. So a bit for each row says whether it does,
and there are values for those rows only; how many bits are set before a row is the place of its
value.
"""

import hashlib
import os
import weakref
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.arrays import (
    NONE_REACHED,
    NOTHING,
    WORD,
    Neighbours,
    Ply,
    Reached,
    Rules,
    Words,
    bytes_of,
    first_rows_of,
    ply_of,
    ranks_of,
    rules_of,
    unpacked,
)
from marubatsu.engine.large.gravity_passes import evaluate_reached, go_on, reach
from marubatsu.engine.large.index import Index
from marubatsu.engine.large.passes import evaluate
from marubatsu.engine.large.rows import show_again
from marubatsu.engine.large.values import NULL, Values
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.cost_estimate import Estimate, calibrated, require_room
from marubatsu.pipeline.solving.journal import (
    Journal,
    WrittenPart,
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
from marubatsu.pipeline.support.background import WorkerThreads
from marubatsu.pipeline.support.events import note
from marubatsu.pipeline.tables.data_set import Unfinished
from marubatsu.pipeline.tables.manifest import Entry
from marubatsu.pipeline.tables.solution_parts import PART, part_file

_CHUNKS = 8  # for each thread, where a ply is small: at its end, no thread waits long for another
_LEAST, _MOST = 1 << 12, 1 << 19  # rows that a kernel works on at a time, in whole words or blocks
_PIECE = 1 << 22  # rows whose values are compared at a time
_LONG = 5.0  # seconds; a note with the estimate precedes a longer run


def solve(
    root: Path,
    game: Game,
    memory: int,
    *,
    expected: Estimate | None = None,
    progress: Progress = lambda name, share, rows: None,
) -> Solved:
    """Solve a game or resume a stopped run; an up-to-date solution stays as it is.

    ``memory`` is in bytes and for the data; Python and its libraries take some 200 MB more.
    ``expected`` is for the check of disk and memory before the start.
    Raises GameError for a board that the index cannot hold, DataError when there is no room, and
    the errors of `make`.
    """
    index = Index(game)

    def fill(goal: Unfinished, reached: Progress) -> dict[str, Entry]:
        name_compact_form(goal)
        if expected:
            require_room(expected, goal, memory)
        journal = Journal.open(goal)
        if expected and expected.seconds > _LONG and journal.state is None:
            measured = calibrated(game, expected)
            note(
                "estimate",
                str(measured),
                classes=round(measured.classes),
                seconds_to_solve=round(measured.seconds, 1),
                disk=round(measured.disk),
                memory=round(measured.memory),
            )
        with WorkerThreads() as workers:
            solver = _Solver(journal, index, workers, memory, reached)
            if game.gravity:
                solver.forward()
            solver.backward()
        return finish(journal, index)

    return make(root, game, fill, progress=progress)


class _Room:
    """Arrays in a limited amount of memory; for what is beyond, files are mapped into it."""

    def __init__(self, memory: int, folder: Path) -> None:
        self._left, self._folder = memory, folder

    def array(self, dtype: type[np.generic], count: int) -> NDArray[Any]:
        """Return an array. Its memory is free again when no array refers to it."""
        size = count * np.dtype(dtype).itemsize
        if size > self._left:
            return self._mapped(dtype, count, size)
        array = np.empty(count, dtype)
        self._left -= size
        weakref.finalize(array, self._give_back, size)
        return array

    def _give_back(self, size: int) -> None:
        self._left += size

    def _mapped(self, dtype: type[np.generic], count: int, size: int) -> NDArray[Any]:
        with TemporaryFile(dir=self._folder) as file:
            allocate = getattr(
                os, "posix_fallocate", lambda handle, _, size: os.ftruncate(handle, size)
            )
            allocate(file.fileno(), 0, size)
            return np.memmap(file, dtype, "r+", shape=(count,))


class _AllRows:
    """The values of all rows of a ply, in games without gravity."""

    def __init__(self, of: Ply, rules: Rules, room: _Room) -> None:
        self._of, self._rules = of, rules
        self._values: Values = room.array(np.int8, of.rows)

    def evaluate(self, first: int, last: int, after: Neighbours | Reached) -> None:
        """Find some from those of the next ply."""
        assert isinstance(after, Neighbours)
        evaluate(self._of, first, last, self._rules, after, self._values[first:last])

    def neighbours(self) -> Neighbours:
        """Return them for the ply before."""
        return Neighbours(self._values, first_rows_of(self._of))

    def take(self, first: int, last: int, values: Values) -> None:
        """Take over some that were found before, each for all rows that show its class."""
        self._values[first:last] = values

    def show(self, first: int, last: int) -> Values:
        """Return a copy of some, `NULL` where play does not reach a row."""
        return self._values[first:last].copy()

    def is_reached(self) -> bool:
        """Return whether play reaches any of the rows."""
        pieces = range(0, self._values.size, _PIECE)
        return any((self._values[first : first + _PIECE] != NULL).any() for first in pieces)


class _ReachedRows:
    """The values of the rows of a ply that play reaches, in games with gravity.

    Its methods do what those of `_AllRows` do; ``first`` is the first row of a word.
    """

    def __init__(self, of: Ply, rules: Rules, room: _Room, words: Words) -> None:
        """Take a bit for each row, and make room for the values."""
        self._of, self._rules, self._words = of, rules, words
        self._ranks: Words = room.array(np.int64, words.size)
        self._values: Values = room.array(np.int8, ranks_of(words, self._ranks))

    def evaluate(self, first: int, last: int, after: Neighbours | Reached) -> None:
        assert isinstance(after, Reached)
        here = self._values[self._place(first) : self._place(last)]
        words = self._words[first // WORD :]
        evaluate_reached(self._of, first, last, self._rules, after, words, here)

    def neighbours(self) -> Reached:
        return Reached(self._words, self._ranks, self._values, first_rows_of(self._of))

    def take(self, first: int, last: int, values: Values) -> None:
        self._values[self._place(first) : self._place(last)] = values[values != NULL]

    def show(self, first: int, last: int) -> Values:
        values = np.full(last - first, NULL)
        values[unpacked(self._words[first // WORD :], values.size)] = self._values[
            self._place(first) : self._place(last)
        ]
        return values

    def is_reached(self) -> bool:
        return self._values.size > 0

    def _place(self, row: int) -> int:
        """Return how many rows before this one play reaches."""
        word, bit = divmod(row, WORD)
        if word == self._words.size:
            return self._values.size
        below = int(self._words[word]) & (1 << bit) - 1
        return int(self._ranks[word]) + below.bit_count()


class _Solver:
    """One run over the plies that a journal leaves to do."""

    def __init__(
        self, journal: Journal, index: Index, workers: WorkerThreads, memory: int, reached: Progress
    ) -> None:
        self._journal, self._goal = journal, journal.goal
        self._index, self._workers, self._reached = index, workers, reached
        self._ply = partial(ply_of, index)
        self._rules = rules_of(index)
        self._rows = [index.shape(ply).rows for ply in range(index.game.cells + 1)]
        self._room = _Room(memory, self._goal.folder)
        self._looked_at, self._share = 0, 0.0

    def forward(self) -> None:
        """Find out which rows of every ply play reaches."""
        journal = self._journal
        if journal.plies is not None:
            return
        # The last ply that an earlier run reached: the rows from which the game goes on.
        last, before = len(journal.forward) - 1, NONE_REACHED
        if last >= 0:
            before = self._forward(last, self._read_words(last), _nothing)
        written: Callable[[], None] = _nothing
        for ply in range(last + 1, len(self._rows)):
            words = self._new_words(ply)
            before = self._forward(ply, words, partial(reach, before=before))
            written()
            written = _nothing
            if not words.any():
                break
            written = self._write_reached(ply, words)
        written()
        journal.ends(len(journal.forward))

    def _forward(self, ply: int, words: Words, find: Callable[..., None]) -> Reached:
        """Let all cores find the rows of a ply; return those from which the game goes on."""
        of, going_on = self._ply(ply), self._new_words(ply)

        def work(first: int, last: int) -> None:
            here = slice(first // WORD, -(-last // WORD))
            find(of, first, last, self._rules, words=words[here])
            going_on[here] = words[here]
            go_on(of, first, last, self._rules, going_on[here])

        self._over("forward", ply, work)
        return NONE_REACHED._replace(words=going_on, first_rows=first_rows_of(of))

    def _write_reached(self, ply: int, words: Words) -> Callable[[], None]:
        """Let a core write which rows play reaches; return what waits for it and notes it."""
        bits = bytes_of(words, self._rows[ply])

        def write() -> str:
            remove_reached(self._goal, ply)
            write_reached(self._goal, ply, words, self._rows[ply])
            return hashlib.sha256(bits.data).hexdigest()

        future = self._workers.submit(write)
        return lambda: self._journal.forward_done(future.result())

    def backward(self) -> None:
        """Value every row, from the last ply to the first, and write the parts."""
        journal, gravity = self._journal, self._index.game.gravity
        after: Neighbours | Reached = NONE_REACHED if gravity else NOTHING
        values: _AllRows | _ReachedRows
        written: Callable[[], None] = _nothing
        for ply in reversed(range(journal.plies or len(self._rows))):
            left = journal.left(ply, self._rows[ply])
            if not left and not (ply and journal.left(ply - 1, self._rows[ply - 1])):
                continue
            of = self._ply(ply)
            if gravity:
                values = _ReachedRows(of, self._rules, self._room, self._read_words(ply))
            else:
                values = _AllRows(of, self._rules, self._room)
            if left:
                self._over("backward", ply, partial(values.evaluate, after=after))
            else:
                self._read(ply, values)
            after = values.neighbours()
            # The parts of the ply after are written while this one is valued.
            written()
            written = self._write(ply, left, values)
        written()

    def _read(self, ply: int, values: _AllRows | _ReachedRows) -> None:
        """Read the values of a ply that an earlier run wrote, some whole blocks at a time."""
        of, path = self._ply(ply), self._goal.path
        read = lru_cache(1)(lambda number: read_values(path(part_file(ply, number))))
        for first in range(0, of.rows, step := rows_of_blocks(of.size, PART)):
            last = min(first + step, of.rows)
            part = joined_rows(of.rows, first, last, read)
            show_again(of, first, last, self._rules, part)
            values.take(first, last, part)

    def _write(
        self, ply: int, left: list[tuple[int, int, int]], values: _AllRows | _ReachedRows
    ) -> Callable[[], None]:
        """Let the cores write parts of a ply; return what waits for them and notes them."""
        if not left or not values.is_reached():
            return _nothing
        if self._journal.plies is None:
            self._journal.ends(ply + 1)

        def write(number: int, first: int, last: int) -> tuple[int, WrittenPart]:
            of, rows = self._ply(ply), values.show(first, last)
            return number, finish_part(self._goal, of, number, first, self._rules, rows)

        futures = [self._workers.submit(write, *part) for part in left]

        def written() -> None:
            for future in futures:
                self._journal.part_done(ply, *future.result())
                self._reached(f"backward, ply {ply} written", self._share, self._looked_at)
            self._journal.backward_done(ply)

        return written

    def _over(self, direction: str, ply: int, do: Callable[[int, int], None]) -> None:
        """Let all cores do the rows of a ply, and report the progress."""
        rows = self._rows
        each = rows[ply] // (_CHUNKS * self._workers.threads)
        chunk = min(max(each, _LEAST), _MOST)
        if self._index.game.gravity:
            chunk = chunk // WORD * WORD
        else:
            chunk = rows_of_blocks(self._ply(ply).size, chunk)

        def work(first: int) -> int:
            last = min(first + chunk, rows[ply])
            do(first, last)
            return last - first

        share, done = (0.5 if self._index.game.gravity else 1.0) / sum(rows), sum(rows[:ply])
        if direction == "backward":
            done = sum(rows[ply + 1 :]) + sum(rows) * self._index.game.gravity
        for count in self._workers.each(work, range(0, rows[ply], chunk)):
            done += count
            self._looked_at += count
            self._share = share * done
            self._reached(f"{direction}, ply {ply}", self._share, self._looked_at)

    def _read_words(self, ply: int) -> Words:
        """Read which rows of a ply play reaches."""
        words = self._new_words(ply)
        read_reached(self._goal, ply, words, self._rows[ply])
        return words

    def _new_words(self, ply: int) -> Words:
        words: Words = self._room.array(np.int64, -(-self._rows[ply] // WORD))
        words[-1:] = 0  # Also behind the last row.
        return words


def _nothing(*_: object, **__: object) -> None:
    """Do nothing, and wait for nothing."""
