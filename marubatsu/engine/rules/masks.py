"""The rules on arrays of positions; they agree with the scalar rules of `engine.rules.game`.

Shapes: N positions, M moves. Masks are signed integers just wide enough for the board.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.bounds import smallest_int
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Status, pack
from marubatsu.engine.rules.symmetry import Symmetry

Masks: TypeAlias = NDArray[np.signedinteger[Any]]
Ints: TypeAlias = NDArray[np.signedinteger[Any]]
Longs: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]


def mask_dtype(game: Game) -> np.dtype[np.signedinteger[Any]]:
    """Return the type of a game's masks."""
    return np.dtype(smallest_int(game.full))


def board_texts(game: Game, circle: Masks, cross: Masks) -> NDArray[np.bytes_]:
    """Write positions as `to_text` of `engine.rules.board_text` does: [N]."""
    letters = np.full((len(circle), game.cells), ord("."), dtype=np.uint8)
    for cell in range(game.cells):
        letters[circle >> cell & 1 != 0, cell] = ord("o")
        letters[cross >> cell & 1 != 0, cell] = ord("x")
    return letters.view(f"S{game.cells}").ravel()


def has_line(game: Game, masks: Masks) -> Bools:
    """Return for each mask whether it contains a whole line: [N] bool."""
    contains = np.zeros(masks.shape, dtype=np.bool_)
    for line in np.array(game.lines, dtype=masks.dtype):
        contains |= (masks & line) == line
    return contains


def status_codes(game: Game, circle: Masks, cross: Masks) -> NDArray[np.int8]:
    """Return each position's status code: [N] int8."""
    codes = np.where(circle | cross == game.full, game.full_board, Status.PLAYING).astype(np.int8)
    for marks, result in zip((circle, cross), game.line_results, strict=True):
        codes[has_line(game, marks)] = result
    return codes


def open_cells(game: Game, occupied: Masks) -> Masks:
    """Return for each board the mask of the cells that the next mark may fill: [N]."""
    free, by_distance, by_mask = game.support_steps
    opened = np.full_like(occupied, free)
    for distance, cells in by_distance:
        shifted = occupied >> distance if distance > 0 else occupied << -distance
        opened |= shifted & cells
    for mask, cell in by_mask:
        opened[occupied & mask == mask] |= cell
    opened[occupied == 0] = game.first_cells
    return opened & ~occupied


class Children(NamedTuple):
    """The positions after every legal move, in the order (parent, move)."""

    counts: Ints  # [N] legal moves of each parent, 0 when it is finished
    parent: Ints  # [M] index of the position moved from
    move: NDArray[np.int8]  # [M] cell filled
    circle: Masks  # [M] position after the move
    cross: Masks  # [M]


def children(
    game: Game, circle: Masks, cross: Masks, playing: Bools, *, circle_moves: bool
) -> Children:
    """Play every legal move of N positions of one ply; only those ``playing`` have moves."""
    open_ = open_cells(game, circle | cross)
    open_[~playing] = 0
    count = np.bitwise_count(open_).astype(np.int32)
    parent = np.repeat(np.arange(len(count), dtype=np.int32), count)
    after = np.empty(len(parent), dtype=circle.dtype)  # the mark that each move sets
    slot = np.cumsum(count, dtype=np.int32) - count
    rest, at = open_[playing], slot[playing]
    while rest.size:
        lowest = rest & -rest
        after[at] = lowest
        rest = rest ^ lowest
        more = rest != 0
        rest, at = rest[more], at[more] + 1
    return Children(
        counts=count,
        parent=parent,
        move=np.bitwise_count(after - 1).astype(np.int8),
        circle=circle[parent] | after if circle_moves else circle[parent],
        cross=cross[parent] if circle_moves else cross[parent] | after,
    )


def images(symmetry: Symmetry, masks: Masks) -> Masks:
    """Return the image of each mask under a symmetry: [N]."""
    result = np.zeros_like(masks)
    for cell, goal in enumerate(symmetry.image):
        result |= (masks >> cell & 1) << goal
    return result


def byte_tables(goals: Sequence[int]) -> NDArray[np.int64]:
    """Return where the bits of a mask go, by the content of each of its bytes: [bytes, 256].

    ``goals`` has the place to which each bit goes.
    """
    contents, tables = np.arange(256), np.zeros((-(-len(goals) // 8), 256), np.int64)
    for bit, goal in enumerate(goals):
        tables[bit // 8] |= (contents >> bit % 8 & 1) << goal
    return tables


def distinct(circle: Masks, cross: Masks, cells: int) -> tuple[Ints, Ints]:
    """Group equal positions among M positions.

    Returns ``first`` [N], the index of each distinct position's first occurrence, ascending,
    and ``group`` [M], the index into ``first`` of every position.
    """
    if 2 * cells <= 63:
        key = pack(circle.astype(np.int64), cross, cells)
    else:  # Two masks do not fit one integer: number the circle masks and the cross masks.
        _, circle_rank = np.unique(circle, return_inverse=True)
        crosses, cross_rank = np.unique(cross, return_inverse=True)
        key = circle_rank.astype(np.int64) * len(crosses) + cross_rank
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order], rank[group]
