"""The arrays that the kernels read: a game, the rows of a ply, the links of a block."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.index import Index, ranks

Ints = NDArray[np.int64]
Words = NDArray[np.int64]
"""Bits, `WORD` in each, lowest first."""

Numbers = NDArray[np.int32]
Remainders = NDArray[np.uint32]

LOW = 8
"""Places of a choice in which a run differs."""

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
    lines: Ints  # masks
    images: Ints  # [symmetry, place of a cell]
    places: Numbers  # [code of a mask]: its block's number, and a symmetry that leads there
    ranks: Ints  # [piece, marks below it, content]: what the piece adds to the rank of a choice


class Ply(NamedTuple):
    """The rows of a ply."""

    number: int
    blocks: Ints  # masks
    cells: int  # among which a choice is made
    chosen: int
    size: int  # rows of a block
    lows: Ints  # the contents of the lowest places, by their number of marks
    starts: Ints  # [marks]: where those begin in `lows`

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.blocks) * self.size


class Neighbours(NamedTuple):
    """The values of the rows of the ply before or after, for a game without gravity."""

    values: NDArray[Any]
    first_rows: Ints  # [number of a block]: where its rows begin here; empty without such a ply


NOTHING = Neighbours(np.empty(0, np.int8), np.empty(0, np.int64))
"""In place of the rows of a ply that does not exist."""


class Links(NamedTuple):
    """The links of a block, as the kernels write them."""

    facts: Ints  # [link, number of the fact]: see `links`
    images: Ints  # [link, byte of a choice, content]: where marks go
    low_ranks: Numbers  # [link, number in `Ply.lows`]: rank of its image


class Reached(NamedTuple):
    """The rows of the ply before or after that play reaches, in games with gravity; their values.

    Play reaches few of them, so only those have a value.
    """

    words: Words  # a bit for each row: play reaches it
    ranks: Words  # [word]: how many bits are set before it, so the place of the next one's value
    values: NDArray[np.int8]
    first_rows: Ints  # [number of a block]: where its bits begin; empty without such a ply


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
        images=np.array(index.images, np.int64),
        places=_places(index) if links else np.empty(0, np.int32),
        ranks=ranks(game.cells, PIECE),
    )


def ply_of(index: Index, ply: int) -> Ply:
    """Prepare a ply."""
    blocks, cells, chosen = shape = index.shape(ply)
    contents = np.arange(1 << min(LOW, cells))
    marks = np.bitwise_count(contents)
    lows = contents[np.argsort(marks, kind="stable")]
    starts = np.searchsorted(np.sort(marks), np.arange(min(LOW, cells) + 2))
    return Ply(ply, blocks, cells, chosen, shape.offsets, lows, starts)


def first_rows_of(ply: Ply) -> Ints:
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
    game, images = index.game, index.images
    places = np.empty(
        (game.rows + 1) ** game.columns if game.gravity else 1 << game.cells, np.int32
    )
    # Without gravity, a ply with an even number of marks has the blocks of the ply before.
    for ply in range(game.cells + 1) if game.gravity else (0, *range(1, game.cells + 1, 2)):
        blocks = index.shape(ply).blocks
        numbers = np.arange(len(blocks), dtype=np.int32) << SYMMETRY
        for symmetry, image in enumerate(images):
            back = images.index([image.index(place) for place in range(game.cells)])
            places[_codes(index, index.image(back, blocks))] = numbers | symmetry
    return places


def _codes(index: Index, masks: Ints) -> Ints:
    """Return a small number for each mask of a block: with gravity its heights as digits."""
    game = index.game
    if not game.gravity:
        return masks
    codes, column = np.zeros_like(masks), (1 << game.rows) - 1
    for x in range(game.columns):
        codes = codes * (game.rows + 1) + np.bitwise_count(masks >> x * game.rows & column)
    return codes
