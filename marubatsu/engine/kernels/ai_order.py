"""The order in which an AI tries the moves, asked for where a search comes to a position.

A kernel that meets a position without an order returns; the AI is asked, and the kernel goes on.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.ai import AI, AIError, Weighted
from marubatsu.engine.boards.kinds import new_board
from marubatsu.engine.kernels.bit_rules import BitGame, Longs, key_of
from marubatsu.engine.large.compiled import compiled, first_row
from marubatsu.engine.rules.position import Position

_FIRST_ROWS = 1 << 10
_MOST_ROWS = 1 << 23  # twice as many as positions that can be asked about; a gigabyte
_FREE = -1


class Ranks(NamedTuple):
    """When each move is tried, by position; no rows for the static order.

    The rows are a hash table with linear probing; their number is a power of two.
    """

    keys: Longs  # [R] of the positions as they are, not of their classes; _FREE
    ranks: NDArray[np.int8]  # [R, cells] when each place is tried


NO_RANKS = Ranks(np.zeros(0, np.int64), np.zeros((0, 0), np.int8))


@compiled
def row_of(keys: Longs, key: int) -> int:
    """Return the row of a key, or the complement of the free row where it may go."""
    size = keys.shape[0]
    row = first_row(key, size)
    while keys[row] != key:
        if keys[row] == _FREE:
            return ~row
        row = row + 1 & size - 1
    return row


@compiled
def _rows_of(keys: Longs, wanted: Longs) -> Longs:
    """Give rows to keys that are not there, and return them."""
    rows = np.empty(len(wanted), np.int64)
    for number in range(len(wanted)):
        rows[number] = ~row_of(keys, wanted[number])
        keys[rows[number]] = wanted[number]
    return rows


class AIOrder:
    """The orders of an AI in the positions about which it was asked, each once.

    One order sorts all moves by the AI's scores, descending, and equal ones ascend. In the other
    one its first candidate and the first move change places.
    """

    def __init__(self, bits: BitGame, ai: AI) -> None:
        self._bits, self._chooser, self._board = bits, ai.on(bits.game), new_board(bits.game)
        self._keys = np.full(_FIRST_ROWS, _FREE, np.int64)
        self._sorted = np.zeros((_FIRST_ROWS, bits.game.cells), np.int8)
        self._headed = np.zeros_like(self._sorted)
        self.asked = 0
        """Number of positions about which the AI was asked."""

    def ranks(self, *, order_all: bool) -> Ranks:
        """Return one of the orders, for a kernel; `ask` makes it stale."""
        return Ranks(self._keys, self._sorted if order_all else self._headed)

    def ask(self, position: Position) -> None:
        """Ask about a position without an order.

        Raises AIError for an AI that weighs its moves, and when it was asked about 4 million.
        """
        self._board.set_up(position)
        choice = self._chooser.choice(self._board)
        if isinstance(choice.candidates, Weighted):
            raise AIError(
                f"an AI weighs its moves on {self._board.text()}: only equal chances fit here"
            )
        scores, head = choice.ranks(), choice.legal.index(choice.candidates[0])
        by_score = sorted(range(len(scores)), key=lambda number: -scores[number])
        headed = list(range(len(scores)))
        headed[0], headed[head] = head, 0
        self.asked += 1
        if 2 * self.asked > len(self._keys):
            if len(self._keys) == _MOST_ROWS:
                raise AIError(
                    f"an ordering was asked about {_MOST_ROWS // 2:,} positions, as many as are "
                    "remembered: lower the limit, or search a later position"
                )
            self._grow()
        mover, other, _ = self._bits.masks(position)
        rules = self._bits.rules
        key, _ = key_of(mover, other, rules.images, rules.places_up, False)
        row = ~row_of(self._keys, key)
        self._keys[row] = key
        places = np.array([self._bits.places.index(cell) for cell in choice.legal])
        self._sorted[row, places[by_score]] = self._headed[row, places[headed]] = range(len(places))

    def _grow(self) -> None:
        used = np.flatnonzero(self._keys != _FREE)
        keys = np.full(2 * len(self._keys), _FREE, np.int64)
        rows = _rows_of(keys, self._keys[used])
        for name in ("_sorted", "_headed"):
            larger = np.zeros((len(keys), self._bits.game.cells), np.int8)
            larger[rows] = getattr(self, name)[used]
            setattr(self, name, larger)
        self._keys = keys
