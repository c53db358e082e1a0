"""The arrays that the kernels read: a game, the rows of a ply, the links of a block."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.index import Index, images_of, ranks
from marubatsu.engine.rules.masks import Longs

Words = NDArray[np.int64]
"""Bits, `WORD` in each, lowest first."""

Bytes = NDArray[np.uint8]
Halves = NDArray[np.uint32]
Numbers = NDArray[np.int32]
Remainders = NDArray[np.uint32]

LOW = 8
"""Places of a choice in which a run differs."""

NIBBLE = 4
"""Places whose content indexes a table of images."""

PIECE = 12
"""Places whose content indexes a table of ranks."""

WORD = 64
"""Bits of a word."""

SYMMETRY = 8
"""Bits of an entry of `Rules.places` that number a symmetry."""


class Rules(NamedTuple):
    """A game in the form that the kernels use."""

    gravity: bool
    misere: bool
    cells: int
    columns: int
    rows: int
    lines: Longs  # masks
    images: Longs  # [symmetry, place of a cell]
    places: Numbers  # [code of a mask]: its block's number, and a symmetry that leads there
    ranks: Longs  # [piece, marks below it, content]: what the piece adds to the rank of a choice


class Lows(NamedTuple):
    """The contents of the lowest places of a choice, for all plies with as many of them.

    Those with as many marks are the rows of a run; their number there is that in `contents` less
    that of the first. The condition 2 p asks that place p is empty, 2 p + 1 that it has a mark; the
    last condition asks nothing.
    """

    contents: Longs  # by their number of marks
    starts: Longs  # [marks]: where those begin
    fitting: Bytes  # [condition, marks]: the numbers of the rows that meet it
    counts: Longs  # [condition, marks]: how many do
    holding: Words  # [0, low places of a line, marks]: the rows that have all, as bits; [1: none]


class Ply(NamedTuple):
    """The rows of a ply."""

    number: int
    blocks: Longs  # masks
    cells: int  # among which a choice is made
    chosen: int
    size: int  # rows of a block
    lows: Lows

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.blocks) * self.size


class Neighbours(NamedTuple):
    """The values of the rows of the ply before or after, for a game without gravity."""

    values: NDArray[Any]
    first_rows: Longs  # [number of a block]: where its rows begin here; empty without such a ply


NOTHING = Neighbours(np.empty(0, np.int8), np.empty(0, np.int64))
"""In place of the rows of a ply that does not exist."""


class Links(NamedTuple):
    """The links of a block, as the kernels write them."""

    facts: Longs  # [link, number of the fact]: see `links`
    images: Longs  # [link, nibble of a choice, content]: where marks go
    low_images: Longs  # [link, number of a content]: where the lowest marks go; of some links only
    patterns: Longs  # [slot]: the way of the lowest places that it describes; its last block
    low_ranks: Bytes  # [slot, number of a content]: rank of its image
    sources: Bytes  # [slot, marks, rank of an image]: the row of a run with it, or `NO_ROW`


class Reached(NamedTuple):
    """The rows of the ply before or after that play reaches, in games with gravity; their values.

    Play reaches few of them, so only those have a value.
    """

    words: Words  # a bit for each row: play reaches it
    ranks: Words  # [word]: how many bits are set before it, so the place of the next one's value
    values: NDArray[np.int8]
    first_rows: Longs  # [number of a block]: where its bits begin; empty without such a ply


NONE_REACHED = Reached(np.empty(0, np.int64), np.empty(0, np.int64), *NOTHING)
"""In place of the rows of a ply that does not exist, in games with gravity."""


def rules_of(index: Index, *, links: bool = True) -> Rules:
    """Prepare a game; without ``links`` for kernels that look at each row by itself."""
    game = index.game
    return Rules(
        gravity=game.gravity,
        misere=game.misere,
        cells=game.cells,
        columns=game.columns,
        rows=game.rows,
        lines=np.array([index.place(line) for line in game.lines], np.int64),
        images=np.array(index.goals, np.int64),
        places=_places(index) if links else np.empty(0, np.int32),
        ranks=ranks(game.cells, PIECE),
    )


def ply_of(index: Index, ply: int) -> Ply:
    """Prepare a ply."""
    blocks, cells, chosen = shape = index.shape(ply)
    return Ply(ply, blocks, cells, chosen, shape.offsets, _lows(min(LOW, cells)))


@cache
def _lows(places: int) -> Lows:
    contents = np.arange(1 << places)
    marks = np.bitwise_count(contents)
    by_marks = [contents[marks == each] for each in range(places + 1)]
    conditions = 2 * places + 1
    fitting = np.zeros((conditions, places + 1, max(map(len, by_marks))), np.uint8)
    counts = np.zeros((conditions, places + 1), np.int64)
    holding = np.zeros((2, 1 << places, places + 1, 2), np.int64)
    for each, of in enumerate(by_marks):
        for condition in range(conditions):
            place, has = divmod(condition, 2)
            rows = np.flatnonzero(of >> place & 1 == has) if place < places else np.arange(len(of))
            fitting[condition, each, : len(rows)] = rows
            counts[condition, each] = len(rows)
        common = contents[:, None] & of
        for side, holds in enumerate((common == contents[:, None], common == 0)):
            bits = np.zeros((len(contents), 2 * WORD), np.bool_)
            bits[:, : len(of)] = holds
            holding[side, :, each] = np.packbits(bits, axis=1, bitorder="little").view(np.int64)
    starts = np.cumsum([0, *map(len, by_marks)])
    return Lows(np.concatenate(by_marks), starts, fitting, counts, holding)


def first_rows_of(ply: Ply) -> Longs:
    """Return where the rows of each block begin, in an array of all rows of the ply."""
    return np.arange(len(ply.blocks)) * ply.size


def words_of(rows: int) -> Words:
    """Return words with a bit for each of some rows, all 0."""
    return np.zeros(-(-rows // WORD), np.int64)


def packed(flags: NDArray[np.bool_]) -> Words:
    """Return a bit for each flag."""
    words = words_of(flags.size)
    bytes_of(words, flags.size)[:] = np.packbits(flags, bitorder="little")
    return words


def bytes_of(words: Words, rows: int) -> NDArray[np.uint8]:
    """Return the bytes that hold a bit for each of some rows."""
    return words.view(np.uint8)[: -(-rows // 8)]


def unpacked(words: Words, rows: int) -> NDArray[np.bool_]:
    """Return a flag for each of the first bits."""
    return np.unpackbits(words.view(np.uint8), count=rows, bitorder="little").view(np.bool_)


def ranks_of(words: Words, ranks: Words) -> int:
    """Write the number of bits that are set before each word; return the number of all set bits."""
    counts = np.bitwise_count(words.view(np.uint64))
    ranks[0] = 0
    np.cumsum(counts[:-1], out=ranks[1:])
    return int(ranks[-1]) + int(counts[-1])


def _places(index: Index) -> Numbers:
    """Return the number of the block for the mask of each block, and of each image of one."""
    game = index.game
    places = np.empty(
        (game.rows + 1) ** game.columns if game.gravity else 1 << game.cells, np.int32
    )
    # Without gravity, a ply with an even number of marks has the blocks of the ply before.
    for ply in range(game.cells + 1) if game.gravity else (0, *range(1, game.cells + 1, 2)):
        blocks = index.shape(ply).blocks
        numbers = np.arange(len(blocks), dtype=np.int32) << SYMMETRY
        for symmetry, goals in enumerate(index.goals):
            back = [goals.index(place) for place in range(game.cells)]
            places[_codes(index, images_of(blocks, back))] = numbers | symmetry
    return places


def _codes(index: Index, masks: Longs) -> Longs:
    """Return a small number for each mask of a block: with gravity its heights as digits."""
    game = index.game
    if not game.gravity:
        return masks
    codes, column = np.zeros_like(masks), (1 << game.rows) - 1
    for x in range(game.columns):
        codes = codes * (game.rows + 1) + np.bitwise_count(masks >> x * game.rows & column)
    return codes
