"""The full tree of a small game: one node for every way to every position."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.bounds import (
    MAX_POSITIONS,
    MAX_TREE_CELLS,
    TooLargeError,
    has_full_tree,
)
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Ints


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
        """Return the number of nodes, the root included."""
        return len(self.parent)


def require_small(game: Game) -> None:
    """Raise TooLargeError, with an estimate, when a game's full tree is too large."""
    if has_full_tree(game):
        return
    from marubatsu.engine.rules.size import describe, estimate_nodes, estimate_positions

    refused = (
        f"the full tree of {game.name} has {describe(estimate_nodes(game))} nodes by estimate: "
        f"expected a board of at most {MAX_TREE_CELLS} cells"
    )
    if estimate_positions(game) <= MAX_POSITIONS:
        raise TooLargeError(f"{refused}; its positions need no tree: build those alone")
    raise TooLargeError(f"{refused}, such as 3x3k3")
