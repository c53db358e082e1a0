"""How difficult positions are for the side to move."""

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.position import Side
from marubatsu.engine.tree.induction import PositionScores, steps_backward
from marubatsu.engine.tree.positions import Positions


def hardness(positions: Positions, scores: PositionScores) -> NDArray[np.float64]:
    """Return the chance that a uniformly random move is not a best move: [N], 0 at the end."""
    wrong = np.bincount(positions.parent, ~scores.is_best, len(positions))
    share: NDArray[np.float64] = wrong / np.maximum(np.diff(positions.first_move), 1)
    return share


def only_moves(positions: Positions, scores: PositionScores) -> NDArray[np.int8]:
    """Return how many only moves the side to move has to find until the end: [N].

    An only move is the one best move among several legal ones. Both sides play best moves: the side
    to move so that it has to find few of them, the other side so that it has to find many.
    """
    best = np.bincount(positions.parent, scores.is_best, len(positions))
    is_only = (best == 1) & (np.diff(positions.first_move) > 1)
    never = np.int8(127)
    counts = np.zeros((len(Side), len(positions)), np.int8)  # [side that has to find them, N]
    for step in steps_backward(positions):
        is_best = scores.is_best[step.first : step.first + len(step.child)]
        for side, after in zip(Side, counts, strict=True):
            below = after[step.child]
            if step.ply % len(Side) == side:
                fewest = np.minimum.reduceat(np.where(is_best, below, never), step.start)
                after[step.at] = is_only[step.at] + fewest
            else:
                most = np.maximum.reduceat(np.where(is_best, below, np.int8(-1)), step.start)
                after[step.at] = most
    mover: NDArray[np.int8] = counts[positions.ply % len(Side), np.arange(len(positions))]
    return mover
