"""A game on bitboards, its cells numbered as a search tries them; what its searches share.

A mask has bit i for the cell of place i. So the lowest bit of the open cells is the first move of
the static order, and no move list is needed. A position is its mover's mask and the other's; the
key ``mover | other << cells`` differs for all positions, because each mask has ``cells`` bits.

Where that is too long, with gravity, a key has a number for each column: the mover's marks, plus
the marks of both, bits from the floor up. A column of height h has one of 2**h - 1 to
2**(h + 1) - 2, so its height and then its marks follow from the number, in rows + 1 bits.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.compiled import compiled, first_row
from marubatsu.engine.rules.game import Game, GameError, require_known
from marubatsu.engine.rules.masks import Longs, byte_tables
from marubatsu.engine.rules.position import Position, bits
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.engine.search.options import Options

_MOST_BITS = 63
"""Of a key, a signed integer that is not negative."""


class BitRules(NamedTuple):
    """The rules of a game as arrays; S symmetries, L lines through a cell at most."""

    cells: int
    misere: bool
    above: Longs  # [cells] the mask of the cell that a mark opens: with gravity that above, else 0
    through: Longs  # [cells, L] the masks of the lines through a cell; -1 after the last
    images: Longs  # [S, byte of a mask, content]: the bits of the marks in a key
    places_up: tuple[int, int]  # by which the bits of the mover's and of the other's marks go up
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

    def position(self, mover: int, other: int, ply: int) -> Position:
        """Return the position of masks of places."""
        sides = [sum(1 << self.places[place] for place in bits(mask)) for mask in (mover, other)]
        return Position(*(reversed(sides) if ply % 2 else sides))

    def masks(self, position: Position) -> tuple[int, int, int]:
        """Return the mover's mask, the other's, and the mask of the legal moves."""
        circle, cross = self.mask(position.circle), self.mask(position.cross)
        playable = self.mask(self.game.open_cells(position.occupied))
        return (cross, circle, playable) if position.ply % 2 else (circle, cross, playable)


def require_bitboard_game(game: Game) -> None:
    """Raise GameError for rules that the kernels do not know, or masks that do not fit."""
    require_known(game, "a search on bitboards", "directions", "lines")
    fits_columns = game.gravity and game.columns * (game.rows + 1) <= _MOST_BITS
    if not (_fits_two_masks(game) or fits_columns):
        raise GameError(
            f"{game.name} has {game.cells} cells: expected at most {_MOST_BITS // 2}; with "
            f"gravity, columns * (rows + 1) at most {_MOST_BITS}"
        )


def _fits_two_masks(game: Game) -> bool:
    return 2 * game.cells <= _MOST_BITS


@cache
def bit_game(game: Game, *, by_lines: bool = False) -> BitGame:
    """Prepare a game; ``by_lines``: the cells that most lines cross come first, then ascending.

    Raises GameError as `require_bitboard_game` does.
    """
    require_bitboard_game(game)
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
    longest = max(map(len, through))
    goals = [[place[each.image[cell]] for cell in places] for each in symmetries(game)]
    return BitGame(
        game,
        places,
        BitRules(
            cells=game.cells,
            misere=game.misere,
            above=np.array(above, np.int64),
            through=np.array(
                [[*row, *[-1] * (longest + 1 - len(row))] for row in through], np.int64
            ),
            images=_images(game, places, goals),
            places_up=(0, game.cells) if _fits_two_masks(game) else (1, 0),
            goal=np.array(goals, np.int64),
            source=np.argsort(np.array(goals, np.int64), axis=1),
        ),
    )


def _images(game: Game, places: Sequence[int], goals: Sequence[Sequence[int]]) -> Longs:
    if _fits_two_masks(game):
        bit_of = list(range(game.cells))
    else:
        up = [(cell % game.columns, game.rows - 1 - cell // game.columns) for cell in places]
        bit_of = [column * (game.rows + 1) + height for column, height in up]
    return np.stack([byte_tables([bit_of[to] for to in goal]) for goal in goals])


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
def key_of(
    mover: int, other: int, images: Longs, places_up: tuple[int, int], symmetry: bool
) -> tuple[int, int]:
    """Return the key of a position, and the symmetry that takes the position there.

    With ``symmetry`` it is the least key of all images; the first symmetry with that key counts.
    """
    least, number = 0, -1
    for each in range(images.shape[0] if symmetry else 1):
        ours = theirs = 0
        for byte in range(images.shape[1]):
            ours |= images[each, byte, mover >> 8 * byte & 255]
            theirs |= images[each, byte, other >> 8 * byte & 255]
        key = (ours << places_up[0]) + (theirs << places_up[1])
        if number < 0 or key < least:
            least, number = key, each
    return least, number


FREE = -1
"""In place of a key: the row is free."""


class Ranks(NamedTuple):
    """When each move is tried, by position; no rows for the static order.

    The rows are a hash table with linear probing; their number is a power of two.
    """

    keys: Longs  # [R] of the positions as they are, not of their classes; FREE
    ranks: NDArray[np.int8]  # [R, cells] when each place is tried


NO_RANKS = Ranks(np.zeros(0, np.int64), np.zeros((0, 0), np.int8))


@compiled
def row_of(keys: Longs, key: int) -> int:
    """Return the row of a key, or the complement of the free row where it may go."""
    size = keys.shape[0]
    row = first_row(key, size)
    while keys[row] != key:
        if keys[row] == FREE:
            return ~row
        row = row + 1 & size - 1
    return row


@compiled
def add_rows(keys: Longs, wanted: Longs) -> Longs:
    """Give rows to keys that are not there, and return them."""
    rows = np.empty(len(wanted), np.int64)
    for number in range(len(wanted)):
        rows[number] = ~row_of(keys, wanted[number])
        keys[rows[number]] = wanted[number]
    return rows


NO_LIMIT = 1 << 62


class NodeTypes(NamedTuple):
    """The nodes of a search with windows, by type: their sum is all nodes.

    leaves     finished, or at the last ply that the search looks at
    answered   the table knew enough
    pv         expanded, with a score inside of the window
    cut        expanded, with a score of beta at least
    all        expanded, with a score of alpha at most
    first_cut  those of the cut nodes whose first move cut
    """

    leaves: int
    answered: int
    pv: int
    cut: int
    all: int
    first_cut: int


class SearchTally(NamedTuple):
    """The result of a search of one position.

    score  circle's view; None: the search has visited more nodes than it may, or has no room
    nodes  as `docs/searches.md` counts them
    types  None for algorithms without windows
    """

    score: int | None
    nodes: int
    types: NodeTypes | None = None


class SearchEnded(Exception):  # noqa: N818, not an error
    """The search has reached its limit of nodes, or another thread has stopped it."""


class BitboardSearch(ABC):
    """A search of a game, prepared for many positions; no search uses the results of another."""

    def __init__(self, game: Game, options: Options) -> None:
        """Prepare. Raises GameError for a game that is too large."""
        self._options = options
        self._bits = bit_game(game, by_lines=options.by_lines)
        self._limit = np.full(1, NO_LIMIT)  # Kernels read it at each node.
        self._is_stopped = False

    @property
    def entries(self) -> int:
        """Number of entries in the table; 0 without one that bounds scores."""
        return 0

    @abstractmethod
    def count(self, position: Position, limit: int = NO_LIMIT) -> SearchTally:
        """Search a position; there is no score after more nodes than allowed, or than have room."""

    def stop(self) -> None:
        """End the search of another thread; from now on no search has a score."""
        self._is_stopped = True
        self._limit[0] = 0

    def _allow(self, nodes: int) -> None:
        """Allow so many nodes, unless the search is stopped for good."""
        self._limit[0] = nodes
        if self._is_stopped:
            self._limit[0] = 0
