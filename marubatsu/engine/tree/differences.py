"""The rules read from arrays and one position at a time: a build compares what both ways make.

A rule that one of the ways does not know makes them differ.
"""

from collections.abc import Iterator

import numpy as np

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Ints
from marubatsu.engine.rules.position import Position, Status
from marubatsu.engine.tree.full_tree import Tree
from marubatsu.engine.tree.positions import Positions

_SAMPLE = 20  # positions of each ply and status


def rule_difference(positions: Positions) -> str | None:
    """Describe the first position, of some of each ply and status, whose readings differ.

    The status and the moves of the arrays are compared with those of the game's own methods.
    """
    game, kinds = positions.game, positions.ply.astype(np.int16) * len(Status) + positions.status
    for kind in np.unique(kinds):
        alike = np.flatnonzero(kinds == kind)
        for number in alike[:: 1 + len(alike) // _SAMPLE].tolist():
            position = positions[number]
            by_arrays = Status(positions.status[number]), tuple(positions.moves_of(number).tolist())
            by_methods = game.status(position), game.legal_moves(position)
            if by_arrays != by_methods:
                from marubatsu.engine.rules.board_text import to_text  # only to describe it

                return (
                    f"on {to_text(game, position)} the arrays say {_in_words(*by_arrays)}, "
                    f"and the methods of the game {_in_words(*by_methods)}"
                )
    return None


def _in_words(status: Status, moves: tuple[int, ...]) -> str:
    return f"{status.word} with the moves {', '.join(map(str, moves)) or 'none'}"


def tree_difference(game: Game, breadth_first: Tree, depth_first: Tree) -> str | None:
    """Describe the first line of moves at which the trees of a game differ; None if at none.

    Two nodes are equal when their lines, parents' lines, moves, plies, positions and subtrees are.
    """
    order = _by_line(depth_first)
    if not np.array_equal(breadth_first.line, depth_first.line[order]):
        return _missing(game, breadth_first, depth_first)
    pairs = zip(_columns(breadth_first), _columns(depth_first), strict=True)
    differing = [
        one != there for one, other in pairs if not np.array_equal(one, there := other[order])
    ]
    if not differing:
        return None
    node = int(np.argmax(np.logical_or.reduce(differing)))
    return f"{_named(game, breadth_first, node)} is another node in the depth-first tree"


def _by_line(tree: Tree) -> Ints:
    """Return the nodes of a tree in pre-order, sorted by line: ply by ply, otherwise as they are.

    Any other order of the lines is a difference from the breadth-first tree.
    """
    return np.argsort(tree.ply, kind="stable")


def _columns(tree: Tree) -> Iterator[Ints]:
    yield from (tree.move, tree.ply, tree.circle, tree.cross, tree.subtree)
    parents = tree.line[tree.parent]
    parents[tree.parent < 0] = -1
    yield parents


def _missing(game: Game, breadth_first: Tree, depth_first: Tree) -> str:
    """Describe the first line that one of the trees lacks, or the first that is out of order."""
    for name, tree, other in (
        ("breadth-first", breadth_first, depth_first),
        ("depth-first", depth_first, breadth_first),
    ):
        lacking = np.flatnonzero(~np.isin(tree.line, other.line))
        if len(lacking):
            node = int(lacking[np.argmin(tree.line[lacking])])
            return f"only the {name} tree has {_named(game, tree, node)}"
    order = _by_line(depth_first)
    node = int(np.argmax(breadth_first.line != depth_first.line[order]))
    return f"{_named(game, breadth_first, node)} is at another place in the depth-first tree"


def _named(game: Game, tree: Tree, node: int) -> str:
    """Name a node by its line and its board."""
    from marubatsu.engine.rules.board_text import to_text

    board = to_text(game, Position(int(tree.circle[node]), int(tree.cross[node])))
    return f"line {tree.line[node]} (board {board})"
