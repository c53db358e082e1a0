"""The full tree of a small game: one node for every way to every position."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
