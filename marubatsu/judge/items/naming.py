"""How a question names marks and cells."""

from dataclasses import dataclass, replace
from enum import StrEnum

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.numbering import column_name


@dataclass(frozen=True)
class Naming:
    """The names of marks and cells in a question."""

    marks: tuple[str, str] = ("O", "X")  # of the side that begins, and of the other
    first_column: int = 0  # place in the alphabet of the letter of the leftmost column
    is_from_top: bool = False  # whether the top row is row 1, instead of the bottom row
    first_number: int = 0  # number of the cell in the top left corner

    def column(self, column: int) -> str:
        """Return the letters of a column."""
        return column_name(column + self.first_column)

    def row(self, game: Game, row: int) -> int:
        """Return the number of a row; the top row is given as 0."""
        return row + 1 if self.is_from_top else game.rows - row

    def name(self, game: Game, cell: int) -> str:
        """Return letters and number of a cell.

        >>> game = Game("tictactoe")
        >>> PLAIN.name(game, 0), RENAMED.name(game, 0)
        ('a3', 'k1')
        """
        row, column = divmod(cell, game.columns)
        return f"{self.column(column)}{self.row(game, row)}"

    def number(self, cell: int) -> str:
        """Return the number of a cell; cells are counted row by row."""
        return str(cell + self.first_number)


PLAIN = Naming()
"""The names of the project: column a to the left, row 1 at the bottom, the first cell is 0."""

SWAPPED = replace(PLAIN, marks=PLAIN.marks[::-1])
RENAMED = Naming(marks=("Y", "Z"), first_column=10, is_from_top=True, first_number=1)


class Form(StrEnum):
    """A form of an item: the position itself, or a twin of it."""

    ORIGINAL = "original"
    IMAGE = "image"
    SWAPPED = "swapped"
    RENAMED = "renamed"

    @property
    def naming(self) -> Naming:
        """The names that it uses."""
        return {Form.SWAPPED: SWAPPED, Form.RENAMED: RENAMED}.get(self, PLAIN)
