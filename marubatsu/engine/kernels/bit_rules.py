"""A game on bitboards, with its cells numbered in the order in which a search tries them.

A mask has bit i for the cell of place i. So the lowest bit of the open cells is the first move of
the static order, and no move list is needed. A position is its mover's mask and the other's; the
key ``mover | other << cells`` tells all positions apart, because each mask has ``cells`` bits.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.compiled import compiled
from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.position import Position, bits
from marubatsu.engine.rules.special_rules import require_known
from marubatsu.engine.rules.symmetry import symmetries

Longs = NDArray[np.int64]

MOST_CELLS = 31
"""The masks of both sides fit one signed integer of 64 bits."""

_BYTES = 4  # of a mask


class BitRules(NamedTuple):
    """The rules of a game as arrays; S symmetries, L lines through a cell at most."""

    cells: int
    misere: bool
    above: Longs  # [cells] the mask of the cell that a mark opens: with gravity that above, else 0
    through: Longs  # [cells, L] the masks of the lines through a cell; -1 after the last
    images: Longs  # [S - 1, byte of a mask, content]: where marks go, without the identity
    goal: Longs  # [S, cells] where a cell goes
    source: Longs  # [S, cells] which cell goes there


class BitGame(NamedTuple):
    """A game for the kernels."""

    game: Game
    places: tuple[int, ...]  # the cell of each place
    rules: BitRules

    def mask(self, cells: int) -> int:
        """Return the mask of places for a mask of cells."""
        return sum(1 << self.places.index(cell) for cell in bits(cells))

    def masks(self, position: Position) -> tuple[int, int, int]:
        """Return the mover's mask, the other's, and the mask of the legal moves."""
        circle, cross = self.mask(position.circle), self.mask(position.cross)
        playable = self.mask(self.game.open_cells(position.occupied))
        return (cross, circle, playable) if position.ply % 2 else (circle, cross, playable)


def require_fitting(game: Game) -> None:
    """Raise GameError for rules that the kernels do not know, or masks that do not fit."""
    require_known(game, "a search on bitboards", "directions", "lines")
    if game.cells > MOST_CELLS:
        raise GameError(
            f"{game.name} has {game.cells} cells: expected at most {MOST_CELLS}, so that "
            "both sides fit 63 bits"
        )


@cache
def bit_game(game: Game, *, by_lines: bool = False) -> BitGame:
    """Prepare a game; ``by_lines``: the cells that most lines cross come first, then ascending.

    Raises GameError as `require_fitting` does.
    """
    require_fitting(game)
    crossed = [sum(line >> cell & 1 for line in game.lines) for cell in range(game.cells)]
    places = tuple(sorted(range(game.cells), key=lambda cell: (-crossed[cell] * by_lines, cell)))
    place = {cell: number for number, cell in enumerate(places)}

    def mask(cells: int) -> int:
        return sum(1 << place[cell] for cell in bits(cells))

    above = [
        1 << place[cell - game.columns] if game.gravity and cell >= game.columns else 0
        for cell in places
    ]
    through = [[mask(line) for line in game.lines if line >> cell & 1] for cell in places]
    goals = [[place[each.image[cell]] for cell in places] for each in symmetries(game)]
    return BitGame(
        game,
        places,
        BitRules(
            cells=game.cells,
            misere=game.misere,
            above=np.array(above, np.int64),
            through=_padded(through),
            images=_images(goals[1:]),
            goal=np.array(goals, np.int64),
            source=np.argsort(np.array(goals, np.int64), axis=1),
        ),
    )


def _padded(rows: Sequence[Sequence[int]]) -> Longs:
    most = max(map(len, rows))
    return np.array([[*row, *[-1] * (most + 1 - len(row))] for row in rows], np.int64)


def _images(goals: Sequence[Sequence[int]]) -> Longs:
    images = np.zeros((len(goals), _BYTES, 256), np.int64)
    contents = np.arange(256)
    for number, goal in enumerate(goals):
        for place, to in enumerate(goal):
            images[number, place // 8] |= (contents >> place % 8 & 1) << to
    return images


@compiled
def completes_line(marks: int, place: int, through: Longs) -> bool:
    """Return whether marks contain a line through one of them."""
    number = 0
    while through[place, number] >= 0:
        line = through[place, number]
        if marks & line == line:
            return True
        number += 1
    return False


@compiled
def key_of(mover: int, other: int, cells: int, images: Longs, symmetry: bool) -> tuple[int, int]:
    """Return the key of a position, and the symmetry that takes the position there.

    With ``symmetry`` it is the least key of all images; the first symmetry with that key counts.
    """
    key, number = mover | other << cells, 0
    if symmetry:
        for each in range(images.shape[0]):
            goal = 0
            for byte in range(_BYTES):
                goal |= images[each, byte, mover >> 8 * byte & 255]
                goal |= images[each, byte, other >> 8 * byte & 255] << cells
            if goal < key:
                key, number = goal, each + 1
    return key, number
