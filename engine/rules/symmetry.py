"""The symmetries of a board, as permutations of its cells.

    number  name               cell (x, y) goes to              boards
    0       identity           (x, y)                           all
    1       mirror left-right  (columns-1-x, y)                 all
    2       mirror top-bottom  (x, rows-1-y)                    without gravity
    3       half turn          (columns-1-x, rows-1-y)          without gravity
    4       main diagonal      (y, x)                           square, without gravity
    5       quarter turn       (columns-1-y, x), clockwise      square, without gravity
    6       three-quarter turn (y, rows-1-x)                    square, without gravity
    7       anti-diagonal      (columns-1-y, rows-1-x)          square, without gravity

That is n = 8 for square boards, 4 for rectangles, 2 with gravity. On a torus each of the n may be
followed by a shift of all cells. Its number is the one above plus n times the cell to which the
shift takes cell 0, so there are n for each cell.

On a board one cell wide or high, some of them move no cell. On a torus two cells wide or high, some
do the same as others. They keep their numbers.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, bits


class Symmetry(NamedTuple):
    """One symmetry of a board: ``image[cell]`` is the image of a cell (and so of a move)."""

    name: str
    image: tuple[int, ...]

    def of_mask(self, mask: int) -> int:
        """Return the image of a mask."""
        return sum(1 << self.image[cell] for cell in bits(mask))

    def of_position(self, position: Position) -> Position:
        """Return the image of a position."""
        return Position(self.of_mask(position.circle), self.of_mask(position.cross))


@cache
def symmetries(game: Game) -> tuple[Symmetry, ...]:
    """List the symmetries of a game's board, in the order of their numbers."""
    last_x, last_y = game.columns - 1, game.rows - 1
    maps: list[tuple[str, Callable[[int, int], tuple[int, int]]]] = [
        ("identity", lambda x, y: (x, y)),
        ("mirror left-right", lambda x, y: (last_x - x, y)),
    ]
    if not game.gravity:
        maps += [
            ("mirror top-bottom", lambda x, y: (x, last_y - y)),
            ("half turn", lambda x, y: (last_x - x, last_y - y)),
        ]
    if not game.gravity and game.columns == game.rows:
        maps += [
            ("main diagonal", lambda x, y: (y, x)),
            ("quarter turn", lambda x, y: (last_x - y, x)),
            ("three-quarter turn", lambda x, y: (y, last_y - x)),
            ("anti-diagonal", lambda x, y: (last_x - y, last_y - x)),
        ]
    shifts = [divmod(cell, game.columns) for cell in range(game.cells)] if game.torus else [(0, 0)]
    return tuple(
        Symmetry(_shifted(name, right, down), _permutation(game, go, right, down))
        for down, right in shifts
        for name, go in maps
    )


def _shifted(name: str, right: int, down: int) -> str:
    """Name a symmetry that a shift follows."""
    if not right and not down:
        return name
    shift = f"shift {right} right, {down} down"
    return shift if name == "identity" else f"{name}, then {shift}"


def _permutation(
    game: Game, go: Callable[[int, int], tuple[int, int]], right: int, down: int
) -> tuple[int, ...]:
    goals = (go(cell % game.columns, cell // game.columns) for cell in range(game.cells))
    return tuple(
        (x + right) % game.columns + game.columns * ((y + down) % game.rows) for x, y in goals
    )


def orbit(game: Game, position: Position) -> set[Position]:
    """Return all images of a position: the members of its class."""
    return {symmetry.of_position(position) for symmetry in symmetries(game)}
