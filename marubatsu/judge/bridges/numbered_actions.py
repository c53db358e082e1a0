"""The actions of a framework as our cells, while a game is played."""

from collections.abc import Iterable, Sequence

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, bits
from marubatsu.judge.bridges.actions import action_of, cell_of_action


class Marks:
    """The cells that were filled in a game, to tell which cell a column means."""

    def __init__(self, game: Game) -> None:
        """Begin with an empty board."""
        self.game = game
        self.occupied = 0

    def fill(self, cell: int) -> None:
        """Fill a cell, which may be outside the board."""
        if 0 <= cell < self.game.cells:
            self.occupied |= 1 << cell

    def cells_of(self, actions: Iterable[int]) -> list[int]:
        """Return the cell of each action; of a full column the top one."""
        free = list(bits(self.game.open_cells(self.occupied)))
        found = ((cell_of_action(self.game, free, action), action) for action in actions)
        return [action if cell is None else cell for cell, action in found]


def action_for(game: Game, cell: int) -> int:
    """Return the action of a cell; for one outside the board an action that does not exist.

    >>> [action_for(Game("connect4"), cell) for cell in (-1, 38, 42)]
    [-1, 3, 7]
    """
    if 0 <= cell < game.cells:
        return action_of(game, cell)
    return cell if cell < 0 or not game.gravity else game.columns


def mask_of(marks: Iterable[object]) -> int:
    """Return the mask of the cells, in our order, that have a mark.

    >>> mask_of([1, 0, 0, True])
    9
    """
    return sum(1 << cell for cell, mark in enumerate(marks) if mark)


def ordered(own: int, other: int, *, circle_sees: bool) -> Position:
    """Return a player's own marks and the opponent's as a position."""
    return Position(own, other) if circle_sees else Position(other, own)


def numbers(mask: Sequence[object]) -> list[int]:
    """Return the actions that a mask of actions allows."""
    return [action for action, allowed in enumerate(mask) if allowed]
