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

That is 8 for square boards, 4 for rectangles, 2 with gravity. On a torus a shift of all cells, that
takes cell 0 to cell c, may follow each of them. Its number is then c * 8, or c * 4, greater.

On a board one cell wide or high, some of them move no cell. On a torus one or two cells wide or
high, some move all cells as others do. They keep their numbers.

Where a rule of the game breaks a symmetry of the board, it is left out, and the others are numbered
without it.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from marubatsu.engine.rules.game import Game, special_rules
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
    """List the symmetries of a game, in the order of their numbers."""
    right, bottom = game.columns - 1, game.rows - 1
    maps: list[tuple[str, Callable[[int, int], tuple[int, int]]]] = [
        ("identity", lambda x, y: (x, y)),
        ("mirror left-right", lambda x, y: (right - x, y)),
        ("mirror top-bottom", lambda x, y: (x, bottom - y)),
        ("half turn", lambda x, y: (right - x, bottom - y)),
    ]
    if game.columns == game.rows:
        maps += [
            ("main diagonal", lambda x, y: (y, x)),
            ("quarter turn", lambda x, y: (right - y, x)),
            ("three-quarter turn", lambda x, y: (y, bottom - x)),
            ("anti-diagonal", lambda x, y: (right - y, bottom - x)),
        ]
    shifts = range(game.cells if game.torus else 1)
    of_board = tuple(
        Symmetry(_name(game, name, shift), _permutation(game, go, shift))
        for shift in shifts
        for name, go in maps
    )
    if game.all_open and not special_rules(game):
        return of_board  # The usual rules about lines keep them all.
    return tuple(symmetry for symmetry in of_board if _keeps(game, symmetry))


def _keeps(game: Game, symmetry: Symmetry) -> bool:
    """Return whether a symmetry of the board takes all declared rules to themselves."""
    of_mask, first = symmetry.of_mask, game.first_cells
    return (
        of_mask(first) == first
        and set(map(of_mask, game.lines)) == set(game.lines)
        and all(
            set(map(of_mask, masks)) == set(game.supports[goal])
            for masks, goal in zip(game.supports, symmetry.image, strict=True)
        )
    )


def _name(game: Game, name: str, shift: int) -> str:
    """Name a symmetry of the board with the shift that takes cell 0 to a cell."""
    if shift == 0:
        return name
    text = f"shift {shift % game.columns} right, {shift // game.columns} down"
    return text if name == "identity" else f"{name}, then {text}"


def _permutation(
    game: Game, go: Callable[[int, int], tuple[int, int]], shift: int
) -> tuple[int, ...]:
    goals = (go(cell % game.columns, cell // game.columns) for cell in range(game.cells))
    return tuple(
        (x + shift) % game.columns + game.columns * ((y + shift // game.columns) % game.rows)
        for x, y in goals
    )


def class_members(game: Game, position: Position) -> set[Position]:
    """Return all images of a position: the members of its class."""
    return {symmetry.of_position(position) for symmetry in symmetries(game)}


@cache
def most_members(game: Game) -> int:
    """Return the size of the largest classes: on narrow boards, some symmetries move no cell."""
    return len({symmetry.image for symmetry in symmetries(game)})


def smallest_member(game: Game, position: Position) -> Position:
    """Return the member of a class with the smallest masks, circle's first.

    It names a class without the numbers of positions, by which representatives are chosen.
    """
    return min(symmetry.of_position(position) for symmetry in symmetries(game))
