"""The full tree depth first, with an explicit stack: nodes numbered in pre-order.

The subtree of a node depends only on its position. So the builder walks the subtree of a position
once; when it meets the position again, it copies that block of nodes. A node stores only what is
valid in every copy: its parent as a distance in nodes. Moves, lines and sizes are derived at the
end.
"""

from array import array
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import mask_dtype
from marubatsu.engine.rules.position import EMPTY, Position, pack, unpack
from marubatsu.engine.rules.size_limits import require_small
from marubatsu.engine.tree.full_tree import Tree


def build_depth_first(game: Game) -> Tree:
    """Build a game's full tree in pre-order, each node's children in legal-move order.

    Raises TooLargeError for boards of more than 9 cells.
    """
    require_small(game)
    packed = array("i", [0])  # the position of each node
    back = array("i", [1])  # parent = node - back
    walked: dict[Position, tuple[int, int]] = {}  # where a position's subtree starts and ends
    stack: list[tuple[int, Position, Iterator[int]]] = [(0, EMPTY, iter(game.legal_moves(EMPTY)))]
    while stack:
        node, position, untried = stack[-1]
        cell = next(untried, None)
        if cell is None:
            stack.pop()
            walked[position] = node, len(packed)
            continue
        child, successor = len(packed), position.after(cell)
        if successor in walked:
            start, end = walked[successor]
            packed.extend(packed[start:end])
            back.extend(back[start:end])
            back[child] = child - node
        else:
            packed.append(pack(*successor, game.cells))
            back.append(child - node)
            stack.append((child, successor, iter(game.legal_moves(successor))))
    return _resolve(game, np.array(packed), np.array(back), walked)


def _resolve(
    game: Game,
    packed: NDArray[np.int32],
    back: NDArray[np.int32],
    walked: dict[Position, tuple[int, int]],
) -> Tree:
    """Derive the columns of the tree from the positions and the distances to the parents."""
    parent = np.arange(len(packed), dtype=np.int32) - back
    circle, cross = (mask.astype(mask_dtype(game)) for mask in unpack(packed, game.cells))
    occupied = circle | cross
    ply = np.bitwise_count(occupied).astype(np.int8)
    # The move is the mark that the parent lacks; the number of bits below it is its cell.
    move = np.bitwise_count((occupied ^ occupied[parent]) - 1).astype(np.int8)
    move[0] = -1
    line = np.zeros(len(packed), dtype=np.int32)
    for depth in range(1, int(ply.max()) + 1):
        here = np.flatnonzero(ply == depth)
        line[here] = line[parent[here]] * 10 + move[here] + 1
    size = np.zeros(1 << 2 * game.cells, dtype=np.int32)  # by packed position
    keys = [pack(*position, game.cells) for position in walked]
    size[keys] = [end - start for start, end in walked.values()]
    return Tree(parent, move, circle, cross, ply, line, size[packed])
