"""A position: which cells hold circle and cross; the side to move; the status of a game.

A position is two masks, ``circle`` and ``cross``: bit i of a mask is cell i. On 3x3::

      cells          o . x        circle = 0b000_010_001 =  17   (cells 0 and 4)
     0 1 2           . o .        cross  = 0b100_000_100 = 260   (cells 2 and 8)
     3 4 5           . . x                   8......  0
     6 7 8

Everything else is derived: the empty cells are those that neither mask holds, ``ply`` is the number
of set bits, and circle moves when ``ply`` is even. So the pair of masks is the whole position.
"""

from collections.abc import Iterator
from enum import IntEnum
from typing import Any, NamedTuple, TypeVar

PackedMasks = TypeVar("PackedMasks", int, Any)


class Side(IntEnum):
    """A side, with the code that arrays and boards use: at ply n the mover is n % 2."""

    CIRCLE = 0
    CROSS = 1

    @property
    def word(self) -> str:
        """The name of the side in tables and messages: circle or cross."""
        return self.name.lower()

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side(1 - self)

    @property
    def sign(self) -> int:
        """+1 for circle, -1 for cross: ``score == side.sign * score_mover`` of the side to move."""
        return 1 - 2 * self


class Status(IntEnum):
    """The status of a game: won by a side (with the code of that side), drawn, or unfinished."""

    CIRCLE = 0
    CROSS = 1
    DRAW = 2
    PLAYING = 3

    @property
    def word(self) -> str:
        """The name of the status in tables and messages."""
        return self.name.lower()

    @property
    def score(self) -> int:
        """The score of a finished game, circle's view. Raises ValueError for an unfinished one."""
        return 0 if self is Status.DRAW else Side(self).sign

    @classmethod
    def of_score(cls, score: int) -> "Status":
        """Return the result of a finished game with a score, circle's view.

        >>> Status.of_score(-1).word
        'cross'
        """
        return _BY_SCORE[score]


RESULTS = (Status.CIRCLE, Status.DRAW, Status.CROSS)
"""The results of a finished game, the best for circle first; their chances have this order."""

_BY_SCORE = {result.score: result for result in RESULTS}


class Position(NamedTuple):
    """The cells that hold circle and cross, as masks; ``position[side]`` is the mask of a side.

    >>> position = Position(circle=0b10001, cross=0b100000100)
    >>> position.ply, position.turn.word
    (4, 'circle')
    """

    circle: int
    cross: int

    @property
    def occupied(self) -> int:
        """The mask of the filled cells."""
        return self.circle | self.cross

    @property
    def ply(self) -> int:
        """Number of marks on the board."""
        return (self.circle | self.cross).bit_count()

    @property
    def turn(self) -> Side:
        """The side to move, while the game is unfinished."""
        return Side.CROSS if self.ply & 1 else Side.CIRCLE

    def after(self, cell: int) -> "Position":
        """Return the position after the side to move fills a cell, legal or not."""
        if self.ply & 1:
            return Position(self.circle, self.cross | 1 << cell)
        return Position(self.circle | 1 << cell, self.cross)


EMPTY = Position(0, 0)
"""The empty board."""


def pack(circle: PackedMasks, cross: PackedMasks, cells: int) -> PackedMasks:
    """Write a position, or arrays of positions, as one integer: circle's mask above cross's.

    Different positions of one board give different numbers, ordered by circle, then by cross.
    Arrays must be wide enough for ``2 * cells`` bits.
    """
    return circle << cells | cross


def unpack(packed: PackedMasks, cells: int) -> tuple[PackedMasks, PackedMasks]:
    """Return the circle and cross masks of an integer from `pack`."""
    return packed >> cells, packed & (1 << cells) - 1


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the set bits of a mask, in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
