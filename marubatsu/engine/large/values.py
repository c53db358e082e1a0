"""Values of classes: score and distance in one small number; greater is better.

From the view of the side to move:

    64 - n     it wins in n plies
    0          a draw
    n - 64     it loses in n plies, -64 when it has lost already
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.masks import Ints

Values = NDArray[np.int8]

FAR = 64
"""The size of a decided value at distance 0; every game is shorter."""

NULL = np.int8(127)
"""In place of a value: play cannot reach the position; greater than every value."""


class Bounds(NamedTuple):
    """Bounds of a value: it is one of ``low`` to ``high``."""

    low: int
    high: int

    @property
    def is_exact(self) -> bool:
        """Whether only one value is left."""
        return self.low == self.high

    @property
    def tells_result(self) -> bool:
        """Whether they decide who wins, or that it is a draw."""
        return self.low > 0 or self.high < 0 or self.low == self.high


def value_before(value: int) -> int:
    """Return the mover's value of a move, from the value of the position to which it leads."""
    return -value - (value < 0) + (value > 0)


def value_after(value: int) -> int:
    """Return the value of the position after a move, from the mover's value of the move.

    >>> [value_before(value_after(value)) for value in (23, 0, -22)]
    [23, 0, -22]
    """
    return -value - (value > 0) + (value < 0)


def score_of(value: int) -> int:
    """Return the score for the side to move: +1 wins, 0 draws, -1 loses."""
    return (value > 0) - (value < 0)


def distances(values: Values, empty: int | Ints) -> Values:
    """Return the plies to the end; a draw ends when the empty cells are filled."""
    return np.where(values == 0, empty, FAR - np.abs(values)).astype(np.int8)
