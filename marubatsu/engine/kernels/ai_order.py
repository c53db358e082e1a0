"""An AI that orders the moves of a compiled search: it is asked once about each position."""

import numpy as np

from marubatsu.engine.ais.ai import AI, AIError, Weighted
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.kernels.bit_rules import FREE, BitGame, Ranks, add_rows, key_of, row_of
from marubatsu.engine.rules.position import Position

_FIRST_ROWS = 1 << 10
_MOST_ROWS = 1 << 23  # twice as many as positions that can be asked about; a gigabyte


class AIOrder:
    """The orders of an AI in the positions about which it was asked, each once.

    A kernel that meets a position without one returns; the AI is asked, and the kernel goes on.
    One order sorts all moves by the AI's scores, descending, and equal ones ascend. In the other
    one its first candidate and the first move change places.
    """

    def __init__(self, bits: BitGame, ai: AI) -> None:
        self._bits, self._chooser, self._board = bits, ai.on(bits.game), new_board(bits.game)
        self._keys = np.full(_FIRST_ROWS, FREE, np.int64)
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
        used = np.flatnonzero(self._keys != FREE)
        keys = np.full(2 * len(self._keys), FREE, np.int64)
        rows = add_rows(keys, self._keys[used])
        for name in ("_sorted", "_headed"):
            larger = np.zeros((len(keys), self._bits.game.cells), np.int8)
            larger[rows] = getattr(self, name)[used]
            setattr(self, name, larger)
        self._keys = keys
