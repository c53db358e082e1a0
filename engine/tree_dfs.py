"""The full tree depth first, with an explicit stack: nodes numbered in pre-order.

What stands below a node depends on its position only. So a position's subtree is walked the
first time it is met; every later time its block of columns is copied, which is why the columns
hold nothing that depends on where the block stands: the way to the parent is stored as a
distance ("so many nodes back") and the line of moves is added at the end.
"""

from array import array
from collections.abc import Iterator

import numpy as np

from engine.arrays import mask_dtype
from engine.game import Game, circle_to_move
from engine.tree import Tree, require_small


def build_depth_first(game: Game) -> Tree:
    """Build a game's full tree in pre-order, each node's children in legal-move order.

    Raises TooLargeError for boards of more than 9 cells.
    """
    require_small(game)
    cells, full = game.cells, game.full
    position = array("i", [0])  # circle | cross << cells
    move = array("b", [-1])
    back = array("i", [1])  # parent = node - back
    subtree = array("i", [0])
    columns = (position, move, back, subtree)
    walked: dict[int, int] = {}  # a node for each position whose subtree is complete
    stack: list[tuple[int, int, Iterator[int]]] = [(0, 0, iter(game.legal_moves(0, 0)))]
    while stack:
        node, key, untried = stack[-1]
        cell = next(untried, None)
        if cell is None:
            stack.pop()
            subtree[node] = len(position) - node
            walked[key] = node
            continue
        circle, cross = key & full, key >> cells
        if circle_to_move(circle | cross):
            circle |= 1 << cell
        else:
            cross |= 1 << cell
        child, child_key = len(position), circle | cross << cells
        twin = walked.get(child_key)
        if twin is None:
            position.append(child_key)
            move.append(cell)
            back.append(child - node)
            subtree.append(0)
            stack.append((child, child_key, iter(game.legal_moves(circle, cross))))
        else:
            end = twin + subtree[twin]
            for column in columns:
                column.extend(column[twin:end])
            move[child] = cell
            back[child] = child - node
    return _with_lines(game, *(np.array(column) for column in columns))


def _with_lines(
    game: Game, position: np.ndarray, move: np.ndarray, back: np.ndarray, subtree: np.ndarray
) -> Tree:
    """Split the positions, resolve the parents and follow the lines down from the root."""
    parent = np.arange(len(position), dtype=np.int32) - back
    circle = (position & game.full).astype(mask_dtype(game))
    cross = (position >> game.cells).astype(mask_dtype(game))
    ply = np.bitwise_count(circle | cross).astype(np.int8)
    line = np.zeros(len(position), dtype=np.int32)
    for depth in range(1, int(ply.max()) + 1):
        here = np.flatnonzero(ply == depth)
        line[here] = line[parent[here]] * 10 + move[here] + 1
    return Tree(parent, move, circle, cross, ply, line, subtree)
