"""Keys: every position of a large game as one integer, and back.

A key is a sum: the key of the empty board plus, for every mark, the weight of its cell, once for
circle and twice for cross. The weights are powers of two, so a key has this layout:

    by cell     two bits a cell, cell 0 lowest: 0 empty, 1 circle, 2 cross; the weight of a cell is
                4 ** cell, and the empty board is 0.
    by column   with gravity: rows + 1 bits a column, column 0 lowest: a bit for every mark, the
                lowest mark lowest, 0 circle and 1 cross, and a 1 above them. A column that holds,
                from below, o x x is 0b1110; the empty board has a 1 in every column.

Different positions have different keys. A key fits a signed 64-bit integer for boards of up to 31
cells, and by column up to 63 bits: 7x6 has 49.

To the key of an image, a mark adds the weight of the image of its cell. So one addition gives each
image of a child from that image of its parent. The key of a class is the smallest key of its
members.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.position import Position, bits
from marubatsu.engine.rules.symmetry import symmetries

MAX_BITS = 63
MOST_SYMMETRIES = 127
"""The engines count the members of a class in a byte."""

_HIGHEST = 8  # most rows of a board with keys by column: a table has 2 ** (rows + 1) entries


@dataclass(frozen=True)
class Keys:
    """The keys of one game.

    Raises GameError for a board whose positions do not fit 63 bits, and for one with more than 127
    symmetries.

    >>> keys = Keys(Game(4, 4, 4))
    >>> keys.key(Position(circle=0b10001, cross=0b10))
    265
    >>> keys.position(265)
    Position(circle=17, cross=2)
    """

    game: Game

    def __post_init__(self) -> None:
        if self.bits > MAX_BITS:
            raise GameError(
                f"a position of {self.game.name} takes {self.bits} bits, expected at most "
                f"{MAX_BITS}: 2 for each cell, with gravity rows + 1 for each column"
            )
        if len(symmetries(self.game)) > MOST_SYMMETRIES:
            raise GameError(
                f"{self.game.name} has {len(symmetries(self.game))} symmetries, expected at most "
                f"{MOST_SYMMETRIES} for a solution: use a smaller torus, such as 4x3k3-torus"
            )

    @property
    def by_column(self) -> bool:
        """Whether keys are by column: with gravity, unless columns are too high for tables."""
        return self.game.gravity and self.game.rows <= _HIGHEST

    @property
    def bits(self) -> int:
        """Number of bits of a key."""
        game = self.game
        return game.columns * (game.rows + 1) if self.by_column else 2 * game.cells

    @cached_property
    def empty(self) -> int:
        """The key of the empty board."""
        game = self.game
        step = game.rows + 1
        return sum(1 << step * x for x in range(game.columns)) if self.by_column else 0

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The weight of each cell: circle's mark adds it to the key, cross's adds it twice."""
        game = self.game
        if not self.by_column:
            return tuple(4**cell for cell in range(game.cells))
        return tuple(
            1 << (cell % game.columns) * (game.rows + 1) + game.rows - 1 - cell // game.columns
            for cell in range(game.cells)
        )

    def key(self, position: Position) -> int:
        """Return the key of a position."""
        marks = (self.weights[cell] for cell in bits(position.circle))
        crosses = (2 * self.weights[cell] for cell in bits(position.cross))
        return self.empty + sum(marks) + sum(crosses)

    def position(self, key: int) -> Position:
        """Return the position of a key."""
        circle = cross = 0
        for cell, mark in self._marks(key):
            if mark == 1:
                circle |= 1 << cell
            else:
                cross |= 1 << cell
        return Position(circle, cross)

    def class_key(self, position: Position) -> int:
        """Return the key of the class of a position: the smallest of its images."""
        return min(self.images(position))

    @cached_property
    def _weights_of_images(self) -> list[list[int]]:
        """The weight of each cell in the key of each image, by symmetry."""
        return [
            [self.weights[image] for image in symmetry.image] for symmetry in symmetries(self.game)
        ]

    def images(self, position: Position) -> list[int]:
        """Return the keys of all images of a position, by symmetry."""
        circles, crosses = (list(bits(mask)) for mask in position)
        return [
            self.empty
            + sum([weights[cell] for cell in circles])
            + 2 * sum([weights[cell] for cell in crosses])
            for weights in self._weights_of_images
        ]

    def _marks(self, key: int) -> Iterator[tuple[int, int]]:
        game = self.game
        if not self.by_column:
            for cell in range(game.cells):
                if mark := key >> 2 * cell & 3:
                    yield cell, mark
            return
        step = game.rows + 1
        for x in range(game.columns):
            column = key >> x * step & (1 << step) - 1
            for height in range(column.bit_length() - 1):
                yield x + game.columns * (game.rows - 1 - height), 1 + (column >> height & 1)
