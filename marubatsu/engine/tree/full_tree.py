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
    """Describe the first line of moves at which the trees of a game differ; None if at none.

    Two nodes are equal when their lines, parents' lines, moves, plies, positions and subtrees are.
    """
    # Pre-order, sorted by ply, is the order of lines; any other order of them is a difference.
    order = np.argsort(depth_first.ply, kind="stable")
    if not np.array_equal(breadth_first.line, depth_first.line[order]):
        return _missing(game, breadth_first, depth_first, order)
    pairs = zip(_columns(breadth_first), _columns(depth_first), strict=True)
    differing = [
        one != there for one, other in pairs if not np.array_equal(one, there := other[order])
    ]
    if not differing:
        return None
    node = int(np.argmax(np.logical_or.reduce(differing)))
    return f"{_named(game, breadth_first, node)} is another node in the depth-first tree"


def _columns(tree: Tree) -> Iterator[Ints]:
    yield from (tree.move, tree.ply, tree.circle, tree.cross, tree.subtree)
    parents = tree.line[tree.parent]
    parents[tree.parent < 0] = -1
    yield parents


def _missing(game: Game, breadth_first: Tree, depth_first: Tree, order: Ints) -> str:
    """Describe the first line that one of the trees lacks, or the first that is out of order."""
    for name, tree, other in (
        ("breadth-first", breadth_first, depth_first),
        ("depth-first", depth_first, breadth_first),
    ):
        lacking = np.flatnonzero(~np.isin(tree.line, other.line))
        if len(lacking):
            node = int(lacking[np.argmin(tree.line[lacking])])
            return f"only the {name} tree has {_named(game, tree, node)}"
    if len(breadth_first) != len(depth_first):
        counts = f"{len(breadth_first):,} nodes breadth first, {len(depth_first):,} depth first"
        return f"a line is there twice: the trees have {counts}"
    node = int(np.argmax(breadth_first.line != depth_first.line[order]))
    return f"{_named(game, breadth_first, node)} is at another place in the depth-first tree"


def _named(game: Game, tree: Tree, node: int) -> str:
    from marubatsu.engine.rules.board_text import to_text

    board = to_text(game, Position(int(tree.circle[node]), int(tree.cross[node])))
    return f"line {tree.line[node]} (board {board})"
