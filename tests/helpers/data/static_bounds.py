"""The bounds without a search of many positions with gravity, compared with their values."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.kernels.exact_layout import ExactTechniques, SearchBoard, layout_of
from marubatsu.engine.kernels.static_bounds import Node, look, threats_by_steps, worth
from marubatsu.engine.large.compiled import uncached
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Longs, Masks

WINDOWS = ((0, 1), (-1, 0), (3, 4), (-4, -3), (-100, 100))
"""Windows of a search: is it a win, at least a draw, soon enough, late enough, and all."""


class Looks(NamedTuple):
    """How many looks were taken, and how many of them said how much."""

    wrong: int  # the number of the first position with a bound that its value breaks; -1: none
    looks: int
    moved: int  # made a move that was the only one
    never_wins: int  # an upper bound of 0 that the rules of the last moves do not give
    loses: int  # an upper bound of -1
    never_loses: int  # a lower bound of 0


@uncached
def _looked(
    movers: Longs,
    others: Longs,
    plies: Longs,
    values: Longs,
    alpha: int,
    beta: int,
    board: SearchBoard,
    use: ExactTechniques,
) -> tuple[int, int, int, int, int]:  # pragma: no cover, compiled
    moved = never_wins = loses = never_loses = 0
    for number in range(len(movers)):
        mover, other, ply = movers[number], others[number], plies[number]
        empty = board.full & ~(mover | other)
        own = threats_by_steps(mover, board.steps) & empty
        threats = threats_by_steps(other, board.steps) & empty
        node = Node(mover, other, own, threats, ply)
        seen, low, high, sign = look(node, alpha, beta, board, use)
        _, plain_low, plain_high = worth(seen, board, use)
        value = values[number] * sign
        if not (low <= value <= high and plain_low <= value <= plain_high):
            return number, moved, never_wins, loses, never_loses
        moved += seen.ply > ply
        never_wins += high == 0 and plain_high > 0
        loses += high == -1 and plain_high > -1
        never_loses += low == 0 and plain_low < 0
    return -1, moved, never_wins, loses, never_loses


def looked(game: Game, circle: Masks, cross: Masks, values: NDArray[Any]) -> Looks:
    """Look at N unfinished positions of a game with gravity, in each window.

    ``values`` are those for the side to move, as `exact_kernel` writes them: [N].
    """
    board, use = layout_of(game).board, ExactTechniques()
    places = np.array(
        [x * (game.rows + 1) + game.rows - 1 - y for y in range(game.rows)
         for x in range(game.columns)]
    )  # fmt: skip
    sides = np.zeros((2, len(values)), np.int64)
    for cell, place in enumerate(places.tolist()):
        for number, masks in enumerate((circle, cross)):
            sides[number] |= (masks.astype(np.int64) >> cell & 1) << place
    plies = np.bitwise_count(circle | cross).astype(np.int64)
    mover, other = np.where(plies % 2 == 0, sides, sides[::-1])
    counts = np.zeros(4, np.int64)
    for alpha, beta in WINDOWS:
        found = _looked(mover, other, plies, values.astype(np.int64), alpha, beta, board, use)
        if found[0] >= 0:
            return Looks(found[0], 0, 0, 0, 0, 0)
        counts += found[1:]
    return Looks(-1, len(WINDOWS) * len(values), *counts.tolist())
