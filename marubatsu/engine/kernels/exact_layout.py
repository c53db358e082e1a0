"""A game in the form that the search uses: masks in an order of cells that suits its lines.

With gravity a mask goes column by column, each from the floor up, with one bit above it that stays
empty. So a line is a mark and its neighbours at one distance, and all cells that would complete one
are found by shifts. On 7x6::

      .  .  .  .  .  .  .
      5 12 19 26 33 40 47
      4 11 18 25 32 39 46
      3 10 17 24 31 38 45
      2  9 16 23 30 37 44
      1  8 15 22 29 36 43
      0  7 14 21 28 35 42

Without gravity bit i is cell i, and the code tests each line in turn.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from marubatsu.engine.rules.game import Game, GameError, require_known, unknown_rules
from marubatsu.engine.rules.masks import Longs, byte_tables
from marubatsu.engine.rules.position import Position, bits
from marubatsu.engine.rules.symmetry import symmetries

MOST_BITS = 63
"""Of a position with gravity, and of the marks of both sides without."""

_MOST_IMAGES = 8  # A torus has many more: to try them all would take longer than it saves.


class Steps(NamedTuple):
    """What finds lines by shifts, with gravity: the distances to adjacent and diagonal cells.

    Where no line fits in such a direction, a shift could come round: there the distance is one
    after which no mark is left.
    """

    run: int
    across: int
    falling: int
    rising: int


class SearchBoard(NamedTuple):
    """The numbers of a game that the search uses."""

    gravity: bool
    misere: bool
    cells: int
    columns: int
    column: int  # bits of a column, with gravity
    key: int  # bits of a key of a position
    steps: Steps
    full: int  # the mask of all cells
    floor: int  # the mask of the lowest cells, with gravity
    upper: int  # of the cells at an even distance from the top of their column, with gravity


class Lines(NamedTuple):
    """What finds lines one by one, without gravity."""

    all: Longs  # their masks
    through: Longs  # [G, L] the lines through a cell; -1 after the last
    images: Longs  # [symmetry, byte of a mask, content]: where marks go


class Layout(NamedTuple):
    """A game in the form that the search uses."""

    board: SearchBoard
    groups: Longs  # [G] masks with one move at most, the most promising first: columns or cells
    lines: Lines | None  # None with gravity: the search is compiled for each of the two


class ExactTechniques(NamedTuple):
    """The techniques of the search; each can be switched off."""

    window: bool = True  # ask whether a value is at least some number, instead of for the value
    table: bool = True  # remember bounds of values
    ordering: bool = True  # first the moves after which most cells would complete a line
    threats: bool = True  # see a line that the next mark completes, instead of setting it
    forced: bool = True  # answer threats, and leave out moves that allow a line at once
    blocked: bool = True  # see that a side can complete no line any more
    symmetry: bool = True  # remember one position of each class, in the first half of the game
    cutoffs: bool = True  # with gravity: look all children up before the first is searched
    chains: bool = True  # with gravity: make a move that is the only one, and search what follows
    follow_up: bool = True  # with gravity: see that a side need only play above the other's marks


def is_searchable(game: Game) -> bool:
    """Return whether the search knows a game's rules, and its integers hold the marks."""
    bits = game.columns * (game.rows + 1) if game.gravity else 2 * game.cells
    return bits <= MOST_BITS and not unknown_rules(game, _known(game))


def _known(game: Game) -> tuple[str, ...]:
    """Name the special rules that the search knows: with gravity, it finds lines by shifts."""
    return () if game.gravity else ("directions", "lines")


def require_searchable(game: Game) -> None:
    """Raise GameError for a game of rules that the search does not know, or that is too large."""
    require_known(game, "a search without tables", *_known(game))
    if not is_searchable(game):
        limit = (
            f"{MOST_BITS} cells, with a further one on top of each column"
            if game.gravity
            else f"{MOST_BITS // 2} cells without gravity"
        )
        raise GameError(f"{game.name} is too large to be searched: expected at most {limit}")


@cache
def layout_of(game: Game) -> Layout:
    """Prepare a game. Raises GameError when it is too large."""
    require_searchable(game)
    column, is_diagonal = game.rows + 1, min(game.columns, game.rows) >= game.run
    if game.gravity:
        across = range(game.columns)
        order = sorted(across, key=lambda x: (abs(2 * x + 1 - game.columns), x))
        groups = [((1 << game.rows) - 1) << x * column for x in order]
        floor = sum(1 << x * column for x in across)
    else:
        promise = [sum(line >> cell & 1 for line in game.lines) for cell in range(game.cells)]
        order = sorted(range(game.cells), key=lambda cell: (-promise[cell], cell))
        groups, floor = [1 << cell for cell in order], 0
    if game.misere:
        groups.reverse()
    upper = [1 << cell for cell in range(game.cells) if cell // game.columns % 2 == 0]
    board = SearchBoard(
        gravity=game.gravity,
        misere=game.misere,
        cells=game.cells,
        columns=game.columns,
        column=column,
        key=game.columns * column if game.gravity else 2 * game.cells,
        steps=Steps(
            run=game.run,
            across=column if game.columns >= game.run else MOST_BITS,
            falling=column - 1 if is_diagonal else MOST_BITS,
            rising=column + 1 if is_diagonal else MOST_BITS,
        ),
        full=_mask(game, game.full),
        floor=floor,
        upper=_mask(game, sum(upper)) if game.gravity else 0,
    )
    lines = None if game.gravity else _lines(game, groups)
    return Layout(board, np.array(groups, np.int64), lines)


def masks_of(game: Game, position: Position) -> tuple[int, int]:
    """Return the masks of the side to move and of the other one."""
    circle, cross = (_mask(game, mask) for mask in position)
    return (cross, circle) if position.ply & 1 else (circle, cross)


def _mask(game: Game, mask: int) -> int:
    if not game.gravity:
        return mask
    places = (divmod(cell, game.columns) for cell in bits(mask))
    return sum(1 << x * (game.rows + 1) + game.rows - 1 - y for y, x in places)


def _lines(game: Game, groups: Sequence[int]) -> Lines:
    """Return what finds lines one by one."""
    through = [[line for line in game.lines if line & group] for group in groups]
    most = max(map(len, through))
    used = symmetries(game)[1:_MOST_IMAGES]
    images = np.zeros((len(used), 4, 256), np.int64)
    for number, symmetry in enumerate(used):
        images[number, : -(-game.cells // 8)] = byte_tables(symmetry.image)
    padded = [[*each, *[-1] * (most - len(each))] for each in through]
    return Lines(np.array(game.lines, np.int64), np.array(padded, np.int64), images)
