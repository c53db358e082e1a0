"""The values of a ply while its game is being solved, one for each row of the index.

With gravity play reaches few of the rows. So a bit for each row tells whether it does, and there
are values for those rows only; how many bits are set before a row is the place of its value.
"""

import os
import weakref
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.arrays import (
    WORD,
    Neighbours,
    Ply,
    Reached,
    Rules,
    Words,
    first_rows_of,
    ranks_of,
    unpacked,
)
from marubatsu.engine.large.gravity_passes import evaluate_reached
from marubatsu.engine.large.passes import evaluate
from marubatsu.engine.large.values import NULL, Values

_PIECE = 1 << 22  # rows whose values are compared at a time


class Room:
    """Arrays in a limited amount of memory; for what is beyond, files are mapped into it."""

    def __init__(self, memory: int, folder: Path) -> None:
        """Take the limit in bytes, and the folder for the files."""
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


class AllRows:
    """The values of all rows of a ply, in games without gravity."""

    def __init__(self, of: Ply, rules: Rules, room: Room) -> None:
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


class ReachedRows:
    """The values of the rows of a ply that play reaches, in games with gravity."""

    def __init__(self, of: Ply, rules: Rules, room: Room, words: Words) -> None:
        """Take a bit for each row, and make room for the values."""
        self._of, self._rules, self._words = of, rules, words
        self._ranks: Words = room.array(np.int64, words.size)
        self._values: Values = room.array(np.int8, ranks_of(words, self._ranks))

    def evaluate(self, first: int, last: int, after: Neighbours | Reached) -> None:
        """Find some from those of the next ply; ``first`` is the first row of a word."""
        assert isinstance(after, Reached)
        here = self._values[self._place(first) : self._place(last)]
        words = self._words[first // WORD :]
        evaluate_reached(self._of, first, last, self._rules, after, words, here)

    def neighbours(self) -> Reached:
        """Return them for the ply before."""
        return Reached(self._words, self._ranks, self._values, first_rows_of(self._of))

    def take(self, first: int, last: int, values: Values) -> None:
        """Take over some that were found before, each for all rows that show its class."""
        self._values[self._place(first) : self._place(last)] = values[values != NULL]

    def show(self, first: int, last: int) -> Values:
        """Return some, `NULL` where play does not reach a row; ``first`` begins a word."""
        shown = np.full(last - first, NULL)
        shown[unpacked(self._words[first // WORD :], shown.size)] = self._values[
            self._place(first) : self._place(last)
        ]
        return shown

    def is_reached(self) -> bool:
        """Return whether play reaches any of the rows."""
        return self._values.size > 0

    def _place(self, row: int) -> int:
        """Return how many rows before this one play reaches."""
        word, bit = divmod(row, WORD)
        if word == self._words.size:
            return self._values.size
        below = int(self._words[word]) & (1 << bit) - 1
        return int(self._ranks[word]) + below.bit_count()
