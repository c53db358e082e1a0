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
from marubatsu.engine.tree.full_tree import Tree, require_small


def build_depth_first(game: Game) -> Tree:
    """Build a game's full tree in pre-order, each node's children in legal-move order.

    Raises TooLargeError for boards of more than 9 cells.
    """
    require_small(game)
    position = array("i", [0])  # packed
    back = array("i", [1])  # parent = node - back
    walked: dict[int, tuple[int, int]] = {}  # where a position's subtree starts and ends
    stack: list[tuple[int, int, Iterator[int]]] = [(0, 0, iter(game.legal_moves(EMPTY)))]
    while stack:
        node, key, untried = stack[-1]
        cell = next(untried, None)
        if cell is None:
            stack.pop()
            walked[key] = node, len(position)
            continue
        child_position = Position(*unpack(key, game.cells)).after(cell)
        child, child_key = len(position), pack(*child_position, game.cells)
        if child_key in walked:
            start, end = walked[child_key]
            position.extend(position[start:end])
            back.extend(back[start:end])
            back[child] = child - node
        else:
            position.append(child_key)
            back.append(child - node)
            stack.append((child, child_key, iter(game.legal_moves(child_position))))
    return _resolve(game, np.array(position), np.array(back), walked)


def _resolve(
    game: Game,
    position: NDArray[np.int32],
    back: NDArray[np.int32],
    walked: dict[int, tuple[int, int]],
) -> Tree:
    """Derive the columns of the tree from the positions and the distances to the parents."""
    parent = np.arange(len(position), dtype=np.int32) - back
    circle, cross = (mask.astype(mask_dtype(game)) for mask in unpack(position, game.cells))
    occupied = circle | cross
    ply = np.bitwise_count(occupied).astype(np.int8)
    # The move is the mark that the parent lacks; the number of bits below it is its cell.
    move = np.bitwise_count((occupied ^ occupied[parent]) - 1).astype(np.int8)
    move[0] = -1
    line = np.zeros(len(position), dtype=np.int32)
    for depth in range(1, int(ply.max()) + 1):
        here = np.flatnonzero(ply == depth)
        line[here] = line[parent[here]] * 10 + move[here] + 1
    size = np.zeros(1 << 2 * game.cells, dtype=np.int32)  # by position
    size[list(walked)] = [end - start for start, end in walked.values()]
    return Tree(parent, move, circle, cross, ply, line, size[position])
