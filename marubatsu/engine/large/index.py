"""The index: the classes of a ply, numbered by a closed formula.

A member of a class has a *block* and an *offset* in it. No search over positions finds them::

    block     the cells of circle's marks; with gravity the cells of all marks. The member whose
              block is the greatest mask shows the class. The blocks of a ply are numbered by
              ascending mask.
    offset    which of the cells that are left cross has; with gravity which cells of the block
              circle has. The choices of k out of m cells are numbered by the combinatorial number
              system: the cells c1 < c2 < … < ck, counted among the m from 0, are the choice
              C(c1, 1) + C(c2, 2) + … + C(ck, k).

Cells are in their *order of places* here. Without gravity that is the order of their numbers; with
gravity column by column, from the border to the centre, each from its top::

    . . x     Circle on the cells 6 and 8 is the mask 0b101000000, the last but one of the 8 blocks
    . . .     of ply 3. Cross on cell 2 has the third of the cells left, 0 1 2 3 4 5 7: c1 = 2,
    o . o     m = 7, k = 1. So the offset is C(2, 1) = 2, and the row is 6 * C(7, 1) + 2 = 44.

All blocks of a ply have the same m and k, so ``row = block * C(m, k) + offset``, and a division
leads back: different members have different rows. A symmetry that keeps a block as it is may map
members in it onto each other, as the mirror does with cross on cell 0, row 42. Then the smallest of
their rows is the row of the class. Every row shows a way to place the marks, whether or not play
reaches it.

Files are smallest when neighbouring rows have the same value most often. So the choice that changes
fastest is among cells that matter least: far from circle's marks, which the greatest mask has last;
with gravity far from the centre. (4x5k4 takes a fifth less than with the smallest masks, 5x5 with
gravity a third less than in the order of the cells' numbers.)

Source of the choices' numbers: D. E. Knuth, The Art of Computer Programming 4A, section 7.2.1.3.
"""

from collections.abc import Iterator, Sequence
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.bounds import stackings
from marubatsu.engine.rules.game import Game, GameError, require_known, unknown_rules
from marubatsu.engine.rules.masks import Masks, byte_tables, mask_dtype
from marubatsu.engine.rules.symmetry import symmetries

MOST_BLOCKS = 1 << 23
"""Masks of a ply that may be blocks, at most: all are in memory to find those that are."""

_KNOWN = ("directions", "lines")  # the special rules that the kernels read

_PIECE = 8  # cells whose content, a byte, indexes tables
_BYTE = (1 << _PIECE) - 1
_AT_ONCE = 1 << 14  # positions whose images stay in the cache of the processor
_LAST = np.iinfo(np.int64).max
_ROUNDS = 6  # of the network of `shuffled`

Rows = NDArray[np.int64]


class Shape(NamedTuple):
    """What all rows of a ply have in common."""

    blocks: Rows  # [B] masks in the order of places, ascending
    cells: int  # m: a choice is among so many cells
    chosen: int  # k: it has so many of them

    @property
    def offsets(self) -> int:
        """The number of rows of a block."""
        return comb(self.cells, self.chosen)

    @property
    def rows(self) -> int:
        """The number of rows of the ply."""
        return len(self.blocks) * self.offsets


class Index:
    """The rows of a game's classes, for arrays of positions.

    Raises GameError for a board with too many blocks, or with rows beyond 63 bits.

    >>> index = Index(Game("tictactoe"))
    >>> index.of(np.array([0b101 << 6] * 2), np.array([1 << 2, 1 << 0]))
    array([42, 42])
    """

    def __init__(self, game: Game) -> None:
        """Prepare the symmetries; the blocks of a ply are computed when first needed."""
        require_index(game)
        self.game = game
        self.order = _order(game)  # the cell at each place
        self.goals = [
            [self.order.index(symmetry.image[cell]) for cell in self.order]
            for symmetry in symmetries(game)
        ]
        """By symmetry, the place to which each place goes."""
        places = [self.order.index(cell) for cell in range(game.cells)]
        to_places = [byte_tables([goals[place] for place in places]) for goals in self.goals]
        self._to_places = np.stack(to_places, axis=1)  # [byte, symmetry, 256]
        self._to_cells = byte_tables(self.order)
        self._binomials = np.array(
            [[comb(c, i) for i in range(game.cells // 2 + 3)] for c in range(game.cells)], np.int64
        )
        self._ranks = ranks(game.cells, _PIECE)
        self._packed = _packed()
        self._shapes: dict[int, Shape] = {}

    def shape(self, ply: int) -> Shape:
        """Return the blocks of a ply, and the size of each."""
        if ply not in self._shapes:
            masks = _masks(self.game, ply)
            for goals in self.goals:
                masks = masks[masks >= images_of(masks, goals)]
            self._shapes[ply] = Shape(masks, *_sizes(self.game, ply)[1:])
        return self._shapes[ply]

    def of(self, circle: Masks, cross: Masks) -> Rows:
        """Return the row of the class of each position, in its ply: [N]."""
        rows = np.empty(len(circle), np.int64)
        for first in range(0, len(circle), _AT_ONCE):
            here = slice(first, first + _AT_ONCE)
            rows[here] = self._of(circle[here].astype(np.int64), cross[here].astype(np.int64))
        return rows

    def _of(self, circle: Rows, cross: Rows) -> Rows:
        occupied = circle | cross
        block, choice = (occupied, circle) if self.game.gravity else (circle, cross)
        images = _moved(block, self._to_places)  # [symmetry, N]
        greatest: Rows = images.max(axis=0)
        symmetry, at = np.nonzero(images == greatest)  # One position may have several.
        choice, image = choice[at], np.zeros(len(at), np.int64)
        for piece, table in enumerate(self._to_places):
            image |= table.take(symmetry << _PIECE | choice >> piece * _PIECE & _BYTE)
        rows = np.full(len(block), _LAST)
        np.minimum.at(rows, at, self._offset(self._left(greatest[at]), image))
        ply = np.bitwise_count(occupied)
        for number in np.flatnonzero(np.bincount(ply)).tolist():
            here, shape = np.flatnonzero(ply == number), self.shape(number)
            rows[here] += np.searchsorted(shape.blocks, greatest[here]) * shape.offsets
        return rows

    def masks(self, ply: int, rows: Rows) -> tuple[Masks, Masks]:
        """Return the masks of circle and of cross of the member that each row shows: [N] each."""
        shape = self.shape(ply)
        number, offset = np.divmod(rows, shape.offsets)
        block = shape.blocks[number]
        choice = self._choice(self._left(block), offset, shape.chosen)
        block, choice = _moved(block, self._to_cells), _moved(choice, self._to_cells)
        dtype, sides = mask_dtype(self.game), (block, choice)
        if self.game.gravity:
            sides = choice, block ^ choice
        return sides[0].astype(dtype), sides[1].astype(dtype)

    def place(self, mask: int) -> int:
        """Return a mask of cells in the order of places."""
        return sum(1 << place for place, cell in enumerate(self.order) if mask >> cell & 1)

    def blocks(self, ply: int) -> Rows:
        """Return the blocks of a ply as masks of cells."""
        return _moved(self.shape(ply).blocks, self._to_cells)

    def _left(self, blocks: Rows) -> Rows:
        """Return the cells among which a choice is made."""
        return blocks if self.game.gravity else self.game.full & ~blocks

    def _offset(self, left: Rows, choice: Rows) -> Rows:
        """Return the numbers of choices among the cells that are left."""
        packed, below = np.zeros((2, len(left)), np.int64)  # The choice, among the cells left.
        for first in range(0, self.game.cells, _PIECE):
            here = left >> first & _BYTE
            packed |= self._packed.take(here << _PIECE | choice >> first & _BYTE) << below
            below += np.bitwise_count(here)
        offset, below = np.zeros((2, len(left)), np.int64)
        for first, table in zip(range(0, self.game.cells, _PIECE), self._ranks, strict=True):
            here = packed >> first & _BYTE
            offset += table.take(below << _PIECE | here)
            below += np.bitwise_count(here)
        return offset

    def _choice(self, left: Rows, offset: Rows, chosen: int) -> Rows:
        """Return the choices with these numbers: from the last cell on, the greatest that fits."""
        choice, offset = np.zeros_like(left), offset.copy()
        missing = np.full(len(left), chosen)
        for cell in reversed(range(self.game.cells)):
            bit = np.int64(1 << cell)
            number = self._binomials[np.bitwise_count(left & (bit - 1)), missing]
            here = (left & bit != 0) & (missing > 0) & (offset >= number)
            choice[here] |= bit
            offset[here] -= number[here]
            missing[here] -= 1
        return choice


def require_index(game: Game) -> None:
    """Raise GameError for rules that the kernels do not know, and for a board that is too large.

    That has too many blocks, or rows beyond 63 bits.
    """
    require_known(game, "a solution", *_KNOWN)
    if not has_index(game):
        raise GameError(f"{game.name} is too large to be solved: expected {_limit(game)}")


def has_index(game: Game) -> bool:
    """Return whether a game can be solved, as `require_index` demands it."""
    if unknown_rules(game, _KNOWN):
        return False
    sizes = (_sizes(game, ply) for ply in range(game.cells + 1))
    return all(
        masks <= MOST_BLOCKS and masks * comb(cells, chosen) <= _LAST
        for masks, cells, chosen in sizes
    )


def rows_of_plies(game: Game) -> list[int]:
    """Count the rows of each ply: cells + 1 exact integers, without a list of blocks.

    Blocks are counted as the classes of masks by the lemma of Cauchy and Frobenius: the mean, over
    all symmetries, of how many masks each leaves as they are. Those have equal content along the
    cycles of its cells; with gravity, equal heights along the cycles of its columns.
    """
    height, units = (game.rows, game.columns) if game.gravity else (1, game.cells)
    kept = np.zeros(game.cells + 1, object)  # by the marks of a mask, summed over all symmetries
    for symmetry in symmetries(game):
        counts = np.ones(1, object)
        for length in _cycles([symmetry.image[unit] % units for unit in range(units)]):
            factor = np.zeros(height * length + 1, object)
            factor[::length] = 1
            counts = np.convolve(counts, factor)
        kept += counts
    blocks = (kept // len(symmetries(game))).tolist()
    sizes = (_sizes(game, ply) for ply in range(game.cells + 1))
    return [
        blocks[ply if game.gravity else (ply + 1) // 2] * comb(cells, chosen)
        for ply, (_, cells, chosen) in enumerate(sizes)
    ]


def _cycles(image: Sequence[int]) -> Iterator[int]:
    """Yield the lengths of the cycles of a permutation."""
    left = set(range(len(image)))
    while left:
        at, length = left.pop(), 1
        while (at := image[at]) in left:
            left.remove(at)
            length += 1
        yield length


def _limit(game: Game) -> str:
    """Return how large a board like that of a game may be, in words."""
    if not game.gravity:
        cells = max(cells for cells in range(1, game.cells) if has_index(Game(cells, 1, 1)))
        return f"at most {cells} cells without gravity"
    lower = (Game(game.columns, rows, 1, gravity=True) for rows in range(1, game.rows))
    rows = max((board.rows for board in lower if has_index(board)), default=0)
    return f"at most {rows} rows on {game.columns} columns" if rows else "fewer columns"


def _sizes(game: Game, ply: int) -> tuple[int, int, int]:
    """Return how many masks may be blocks of a ply, m and k."""
    circle, cross = (ply + 1) // 2, ply // 2
    if game.gravity:
        return stackings(game.columns, game.rows)[ply], ply, circle
    return comb(game.cells, circle), game.cells - circle, cross


def _order(game: Game) -> list[int]:
    if not game.gravity:
        return list(range(game.cells))
    columns = sorted(range(game.columns), key=lambda x: (-abs(2 * x - game.columns + 1), x))
    return [x + game.columns * y for x in columns for y in range(game.rows)]


def _moved(masks: Rows, tables: Rows) -> Rows:
    """Move the bits of masks by `byte_tables`: by those of one symmetry, or of all."""
    moved: Rows = tables[0].take(masks & _BYTE, axis=-1)
    for piece, table in enumerate(tables[1:], 1):
        moved |= table.take(masks >> piece * _PIECE & _BYTE, axis=-1)
    return moved


def images_of(masks: Rows, goals: Sequence[int]) -> Rows:
    """Return masks whose places have gone to others, as a row of `Index.goals` says."""
    return _moved(masks, byte_tables(goals))


def ranks(cells: int, piece: int) -> Rows:
    """Return what the content of a piece of a choice adds to its number.

    By piece, number of marks below it, and content: [pieces, cells + 1, 2 ** piece].
    """
    added = np.zeros((-(-cells // piece), cells + 1, 1 << piece), np.int64)
    contents, below = np.arange(1 << piece), np.arange(cells + 1)[:, None]
    for cell in range(cells):
        place = cell % piece
        binomials = np.array([comb(cell, i) for i in range(cells + piece + 1)], np.int64)
        marks = below + np.bitwise_count(contents & (1 << place + 1) - 1)
        added[cell // piece] += binomials[marks] * (contents >> place & 1)
    return added


def _packed() -> Rows:
    """Return, by a byte of the cells left and one of a choice, the choice among those left."""
    choice = np.arange(1 << _PIECE, dtype=np.uint8)
    packed, below = np.zeros((2, 1 << _PIECE, 1 << _PIECE), np.uint8)
    for cell in range(_PIECE):
        packed |= (choice >> cell & 1) << below
        below += (choice >> cell & 1)[:, None]
    return packed.astype(np.int64)


def _masks(game: Game, ply: int) -> Rows:
    """Return the masks of circle's marks at a ply, with gravity those of all marks, ascending."""
    if game.gravity:  # A column is filled from its last place on.
        marks, across, stacks = ply, range(game.columns), range(game.rows + 1)
        parts = [[(1 << h) - 1 << (x + 1) * game.rows - h for h in stacks] for x in across]
    else:
        marks, parts = (ply + 1) // 2, [[0, 1 << cell] for cell in range(game.cells)]
    masks_by_count = {0: np.zeros(1, np.int64)}  # of the parts so far, by number of marks
    for part in parts:
        more: dict[int, list[Rows]] = {}
        for count in sorted(masks_by_count, reverse=True):  # So the masks of each ascend.
            for added in part:
                if (total := count + added.bit_count()) <= marks:
                    more.setdefault(total, []).append(masks_by_count[count] | added)
        masks_by_count = {count: np.concatenate(masks) for count, masks in more.items()}
    return masks_by_count[marks]


def shuffled(count: int, seed: int, batch: int) -> Iterator[Rows]:
    """Yield all numbers below a count in a pseudorandom order, about ``batch`` of them at a time.

    The order depends on the seed, 0 or more, and not on ``batch``. No list of the numbers is made,
    so a sample of a game with 10^11 rows can read row after row, none twice, until it is large
    enough. The order is a Feistel network: a few rounds that each mix half of the bits into the
    other half, so every round, and all of them, can be undone (Luby and Rackoff, "How to construct
    pseudorandom permutations from pseudorandom functions", 1988).
    """
    half = max(1, -(-max(count - 1, 0).bit_length() // 2))
    keys = np.random.SeedSequence(seed).generate_state(_ROUNDS, np.uint64).astype(np.uint64)
    for start in range(0, 1 << 2 * half, batch):
        places = np.arange(start, min(start + batch, 1 << 2 * half), dtype=np.uint64)
        numbers = _mixed(places, np.uint64(half), keys).astype(np.int64)
        yield numbers[numbers < count]


def _mixed(
    places: NDArray[np.uint64], half: np.uint64, keys: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    low = (np.uint64(1) << half) - np.uint64(1)
    left, right = places >> half, places & low
    for key in keys:
        left, right = right, left ^ (_hashed(right ^ key) & low)
    return left << half | right


def _hashed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Let every bit of a word change about half of its bits; as SplitMix64 ends."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)
