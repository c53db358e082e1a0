"""The full tree of a small game, one node for every way to every position; where two trees differ.

A build makes the tree in two ways, and compares them: a mistake in one of them makes them differ.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Ints
from marubatsu.engine.rules.position import Position


@dataclass(frozen=True, eq=False)
class Tree:
    """A full tree, its T nodes numbered in the order of creation, the root first."""

    parent: Ints  # [T] node, -1 at the root
    move: NDArray[np.int8]  # [T] cell filled, -1 at the root
    circle: Ints  # [T] the position
    cross: Ints  # [T]
    ply: NDArray[np.int8]  # [T]
    line: NDArray[np.int32]  # [T] the moves so far as decimal digits, cell + 1
    subtree: NDArray[np.int32]  # [T] nodes at and below

    def __len__(self) -> int:
        return len(self.parent)


def tree_difference(game: Game, breadth_first: Tree, depth_first: Tree) -> str | None:
    """Describe the first node, by ply and line, at which the trees of a game differ; None for none.

    Two nodes are equal when their lines, parents' lines, moves, plies, positions and subtrees are.
    """
    order = np.argsort(depth_first.ply, kind="stable")  # Pre-order is the order of lines.
    both = slice(min(len(breadth_first), len(depth_first)))
    pairs = zip(_columns(breadth_first), _columns(depth_first), strict=True)
    *nodes, subtrees = [one[both] != other[order][both] for one, other in pairs]
    differs = np.logical_or.reduce(nodes)
    if not differs.any():  # A missing node also changes the subtrees of those above it.
        differs = subtrees
    if differs.any():
        from marubatsu.engine.rules.board_text import to_text  # only to describe it

        node = int(np.argmax(differs))
        position = Position(int(breadth_first.circle[node]), int(breadth_first.cross[node]))
        line = f"line {breadth_first.line[node]} (board {to_text(game, position)})"
        return f"the depth-first tree has another node where the breadth-first one has {line}"
    if len(breadth_first) != len(depth_first):
        return f"{len(breadth_first):,} nodes breadth first, {len(depth_first):,} depth first"
    return None


def _columns(tree: Tree) -> Iterator[Ints]:
    parents = tree.line[tree.parent]
    parents[tree.parent < 0] = -1
    yield from (tree.line, tree.move, tree.ply, tree.circle, tree.cross, parents, tree.subtree)
