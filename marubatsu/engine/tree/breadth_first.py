"""The full tree breadth first: a whole ply of nodes at a time."""

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Ints, Masks, children, mask_dtype, status_codes
from marubatsu.engine.rules.position import Status
from marubatsu.engine.rules.size_limits import require_small
from marubatsu.engine.tree.full_tree import Tree


def build_breadth_first(game: Game) -> Tree:
    """Build a game's full tree ply by ply, each node's children in legal-move order.

    Raises TooLargeError for boards of more than 9 cells.
    """
    require_small(game)
    parent: Ints = np.full(1, -1, dtype=np.int32)
    move = np.full(1, -1, dtype=np.int8)
    circle = np.zeros(1, dtype=mask_dtype(game))
    cross = circle.copy()
    line = np.zeros(1, dtype=np.int32)
    plies: list[tuple[Ints, NDArray[np.int8], Masks, Masks, NDArray[np.int8], Ints]] = []
    counts: list[Ints] = []
    first = 0  # number of the ply's first node
    while len(circle):
        ply = np.full(len(circle), len(plies), dtype=np.int8)
        plies.append((parent, move, circle, cross, ply, line))
        playing = status_codes(game, circle, cross) == Status.PLAYING
        after = children(game, circle, cross, playing, circle_moves=len(plies) % 2 == 1)
        counts.append(after.counts)
        line = line[after.parent] * 10 + after.move + 1
        parent, move = after.parent + np.int32(first), after.move
        first += len(circle)
        circle, cross = after.circle, after.cross
    return Tree(*map(np.concatenate, [*zip(*plies, strict=True), _subtree_sizes(counts)]))


def _subtree_sizes(counts: list[Ints]) -> list[np.ndarray]:
    """Add up the sizes from the last ply; a node's children are adjacent in the next one."""
    sizes: list[np.ndarray] = []
    below = np.zeros(0, dtype=np.int32)
    for count in reversed(counts):
        total = np.zeros(len(below) + 1, dtype=np.int32)  # total size of the subtrees to the left
        np.cumsum(below, out=total[1:])
        end = np.cumsum(count, dtype=np.int32)
        below = 1 + total[end] - total[end - count]
        sizes.append(below)
    return sizes[::-1]
