"""Solve a game on this machine, with all its cores and a limit on memory.

::

    forward    with gravity: which rows of each ply play reaches, a bit each, in a file
    backward   the values of each ply from those of the next, and its parts

The values of two plies are in memory, or in files that are mapped into it.
"""

import hashlib
import os
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np

from marubatsu.engine.large.index import Index
from marubatsu.engine.large.kernels import PLAYING, evaluate, reach, show_again
from marubatsu.engine.large.tables import NO_BITS, NOTHING, Bits, Neighbours, Ply, ply_of, rules_of
from marubatsu.engine.large.values import NULL, Values
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solution.parts import (
    part_file,
    parts,
    read_values,
)
from marubatsu.pipeline.solving.cost_estimate import Estimate, calibrated, require_room
from marubatsu.pipeline.solving.journal import Journal, Part, reached_file
from marubatsu.pipeline.solving.solve_job import Progress, Solved, finish, finish_part, make
from marubatsu.pipeline.solving.threads import Workers, working
from marubatsu.pipeline.stages.staleness import VERSION
from marubatsu.pipeline.store.data_set import Unfinished
from marubatsu.pipeline.store.manifest import Entry
from marubatsu.pipeline.support.events import note

_CHUNK = 1 << 19  # rows that a kernel works on at a time
_LONG = 5.0  # seconds; before a longer run the estimate is told


def solve(
    root: Path,
    game: Game,
    memory: int,
    *,
    expected: Estimate | None = None,
    progress: Progress = lambda what, share, rows: None,
    on_wait: Callable[[], None] = lambda: None,
) -> Solved:
    """Solve a game or resume a stopped run; an up-to-date solution stays as it is.

    ``memory`` is in bytes and for the data; Python and its libraries take some 200 MB more.
    ``expected`` is for the check of disk and memory before the start.
    Raises GameError for a board that the index cannot hold, DataError when there is no room, and
    the errors of `make`.
    """
    index = Index(game)

    def fill(goal: Unfinished, reached: Progress) -> dict[str, Entry]:
        if expected:
            require_room(expected, goal, memory)
        journal = Journal.open(goal, VERSION)
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
        with working() as workers:
            solver = _Solver(journal, index, workers, memory, reached)
            if game.gravity:
                solver.forward()
            solver.backward()
        return finish(journal, index)

    return make(root, game, fill, progress=progress, on_wait=on_wait)


class _Solver:
    """One run over the plies that a journal leaves to do."""

    def __init__(
        self, journal: Journal, index: Index, workers: Workers, memory: int, reached: Progress
    ) -> None:
        self._journal, self._goal = journal, journal.goal
        self._index, self._workers = index, workers
        self._reached = reached
        self._rules = rules_of(index)
        self._rows = [index.shape(ply).rows for ply in range(index.game.cells + 1)]
        self._is_mapped = max(map(sum, pairwise(self._rows))) > memory
        self._looked_at, self._share = 0, 0.0

    def forward(self) -> None:
        """Find out which rows of every ply play reaches."""
        journal = self._journal
        if journal.plies is not None:
            return
        before, written = self._reached_before(), _nothing
        for ply in range(len(journal.forward), len(self._rows)):
            flags = self._new_values(ply)
            self._over("forward", ply, flags, partial(reach, before=before))
            flags[: ply == 0] = PLAYING  # The empty board.
            written()
            written = _nothing
            if flags.min() == NULL:  # The greatest of what can be there: play reaches no row.
                break
            written = self._write_reached(ply, flags)
            before = self._neighbours(ply, flags)
        written()
        journal.ends(len(journal.forward))

    def _write_reached(self, ply: int, flags: Values) -> Callable[[], None]:
        """Let a core write which rows play reaches; return what waits for it and notes it."""

        def write() -> str:
            bits = np.packbits(flags != NULL, bitorder="little")
            self._goal.write(reached_file(ply), bits.data)
            return hashlib.sha256(bits.data).hexdigest()

        future = self._workers.submit(write)
        return lambda: self._journal.forward_done(future.result())

    def _reached_before(self) -> Neighbours:
        """Return what play reaches in the ply that an earlier run found last."""
        ply = len(self._journal.forward) - 1
        if ply < 0:
            return NOTHING
        flags = self._new_values(ply)
        self._over("forward", ply, flags, partial(evaluate, after=NOTHING, reached=self._bits(ply)))
        flags[flags != PLAYING] = NULL  # Without a next ply, all are drawn that have not ended.
        return self._neighbours(ply, flags)

    def backward(self) -> None:
        """Value every row, from the last ply to the first, and write the parts."""
        journal, after = self._journal, NOTHING
        written = _nothing
        for ply in reversed(range(journal.plies or len(self._rows))):
            left = journal.left(ply, self._rows[ply])
            if left:
                values = self._values(ply, after)
            elif ply and journal.left(ply - 1, self._rows[ply - 1]):
                values = self._read_values(ply)
            else:
                continue
            after = self._neighbours(ply, values)
            # The parts of the ply after are written while this one is valued.
            written()
            written = self._write(ply, left, values)
        written()

    def _values(self, ply: int, after: Neighbours) -> Values:
        """Find the values of a ply."""
        values = self._new_values(ply)
        bits = self._bits(ply) if self._index.game.gravity else NO_BITS
        self._over("backward", ply, values, partial(evaluate, after=after, reached=bits))
        return values

    def _read_values(self, ply: int) -> Values:
        """Read the values of a ply that an earlier run found."""
        values = self._new_values(ply)
        for number, first, last in parts(self._rows[ply]):
            values[first:last] = read_values(self._goal.path(part_file(ply, number)))
        show_again(self._ply(ply), 0, values.size, self._rules, values)
        return values

    def _write(
        self, ply: int, left: list[tuple[int, int, int]], values: Values
    ) -> Callable[[], None]:
        """Let the cores write parts of a ply; return what waits for them and notes them."""
        pieces = (values[first : first + _CHUNK] for first in range(0, values.size, _CHUNK))
        if not left or all((piece == NULL).all() for piece in pieces):
            return _nothing
        if self._journal.plies is None:
            self._journal.ends(ply + 1)

        def write(number: int, first: int, last: int) -> tuple[int, Part]:
            shown = values[first:last].copy()
            of = self._ply(ply)
            return number, finish_part(self._goal, of, number, first, self._rules, shown)

        futures = [self._workers.submit(write, *part) for part in left]

        def written() -> None:
            for future in futures:
                self._journal.part_done(ply, *future.result())
                self._reached(f"backward, ply {ply} written", self._share, self._looked_at)
            self._journal.backward_done(ply)

        return written

    def _over(self, what: str, ply: int, out: Values, kernel: Callable[..., None]) -> None:
        """Let all cores do the rows of a ply with a kernel, and report the progress."""
        of, rows = self._ply(ply), self._rows

        def work(first: int) -> int:
            last = min(first + _CHUNK, out.size)
            kernel(of, first, last, self._rules, out=out[first:last])
            return last - first

        share, done = (0.5 if self._index.game.gravity else 1.0) / sum(rows), sum(rows[:ply])
        if what == "backward":
            done = sum(rows[ply + 1 :]) + sum(rows) * self._index.game.gravity
        for count in self._workers.map(work, range(0, out.size, _CHUNK)):
            done += count
            self._looked_at += count
            self._share = share * done
            self._reached(f"{what}, ply {ply}", self._share, self._looked_at)

    def _bits(self, ply: int) -> Bits:
        return np.fromfile(self._goal.path(reached_file(ply)), np.uint8)

    def _ply(self, ply: int) -> Ply:
        return ply_of(self._index, ply)

    def _neighbours(self, ply: int, values: Values) -> Neighbours:
        blocks = np.arange(len(self._index.shape(ply).blocks), dtype=np.int32)
        return Neighbours(values, blocks, self._index.shape(ply).offsets)

    def _new_values(self, ply: int) -> Values:
        """Return room for the values of a ply, on disk where two plies do not fit the memory."""
        if not self._is_mapped:
            return np.empty(self._rows[ply], np.int8)
        with TemporaryFile(dir=self._goal.folder) as file:
            allocate = getattr(
                os, "posix_fallocate", lambda handle, _, size: os.ftruncate(handle, size)
            )
            allocate(file.fileno(), 0, self._rows[ply])
            return np.memmap(file, np.int8, "r+")


def _nothing() -> None:
    """Wait for nothing."""
