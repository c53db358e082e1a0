"""What Spark's tasks do: from the rows of a ply to those of its neighbour.

::

    send       a group of blocks of a ply, once for each chunk of the other ply with a neighbour
    receive    the groups sent to a chunk -> its rows, and their parts

A chunk is a part, or as many parts as a block has. The index numbers the neighbours of a block, so
a task knows which chunks need it. With gravity a pass forward comes first: which rows play reaches,
a bit each. Only those have values.
"""

import gc
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

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
    unpacked,
    words_of,
)
from marubatsu.engine.large.class_counts import show_again
from marubatsu.engine.large.gravity_passes import evaluate_reached, go_on, reach
from marubatsu.engine.large.index import Index
from marubatsu.engine.large.links import neighbours_of
from marubatsu.engine.large.passes import evaluate
from marubatsu.engine.large.values import NULL, Values
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.journal import WrittenPart, read_reached, write_reached
from marubatsu.pipeline.solving.parts import joined_rows, read_values, rows_of_blocks
from marubatsu.pipeline.solving.solve_job import finish_part
from marubatsu.pipeline.solving.spark_session import require_installed
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import Unfinished
from marubatsu.pipeline.tables.manifest import part_file, parts, rows_of_part
from marubatsu.pipeline.tables.solving_state import JOURNAL

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
            values = np.full(last - first, NULL)
            words = self._words(of, first, last)
            reached = unpacked(words, values.size)
            found = np.empty(np.count_nonzero(reached), np.int8)
            evaluate_reached(of, first, last, self._rules, after, words, found)
            values[reached] = found
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
        values = joined_rows(known.rows, begin, last, self._read_part)
        show_again(known, first, last, self._rules, values[first - begin :])
        if not self._rules.gravity:
            return NONE_REACHED.words, values
        reached = values != NULL
        return packed(reached), values[reached]

    def _read_part(self, number: int) -> Values:
        return read_values(self._goal.path(part_file(self.known, number)))

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
