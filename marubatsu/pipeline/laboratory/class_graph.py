"""The classes of a game and the moves between them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.masks import Bools, Ints
from marubatsu.engine.rules.position import Status
from marubatsu.engine.tree.classes import Classes
from marubatsu.engine.tree.induction import PositionScores
from marubatsu.engine.tree.positions import Positions


@dataclass(frozen=True, eq=False)
class ClassGraph:
    """C classes and E moves: one for each pair of classes that a move connects.

    The numbers of classes grow with the ply, and the moves are sorted by parent, then by child. So
    every array operation on one ply is an operation on slices.
    """

    ply: NDArray[np.int8]  # [C]
    status: NDArray[np.int8]  # [C] code of a Status
    score: NDArray[np.int8]  # [C] circle's view
    parent: Ints  # [E] class
    child: Ints  # [E] class
    move: NDArray[np.int8]  # [E] first cell of the parent's representative that leads there

    @property
    def is_playing(self) -> Bools:
        """Whether each class is unfinished: [C]."""
        playing: Bools = self.status == Status.PLAYING
        return playing


def class_graph(positions: Positions, classes: Classes, scores: PositionScores) -> ClassGraph:
    """Return the graph of a game's classes, from the moves of their representatives."""
    chosen = classes.representative
    first, end = positions.first_move[chosen], positions.first_move[chosen + 1]
    count = (end - first).astype(np.int64)
    parent = np.repeat(np.arange(len(chosen)), count)
    move = np.arange(count.sum()) + np.repeat(first - (np.cumsum(count) - count), count)
    child = classes.class_[positions.child[move]]
    _, unique = np.unique(parent * len(chosen) + child, return_index=True)
    return ClassGraph(
        ply=positions.ply[chosen],
        status=positions.status[chosen],
        score=scores.score[chosen],
        parent=parent[unique],
        child=child[unique],
        move=positions.move[move[unique]],
    )
