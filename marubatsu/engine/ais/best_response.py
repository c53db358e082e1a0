"""The best response to a policy: what an opponent plays who knows the policy in every position.

Its result is the measure of exploitability (M. Lanctot et al., 2017; as in OpenSpiel): the mean,
over both sides, of what a best response scores against the policy. A win is 1, a draw 0, a loss -1.
"""

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.masks import Bools
from marubatsu.engine.rules.position import Side, Status
from marubatsu.engine.tree.induction import Step, steps_backward
from marubatsu.engine.tree.positions import Positions

_SAME = 1e-12  # mean results that differ by less count as equal


def best_response(positions: Positions, probability: NDArray[np.float64]) -> Bools:
    """Return the moves of a best response to a policy: one in each unfinished position, [M].

    ``probability`` [M] is the chance of each move of the policy. At circle's turns, the moves
    respond to the policy as cross; at cross's turns, to the policy as circle. Among moves with the
    same mean result, the response takes one that wins most often, the first of them.
    """
    is_response = np.zeros(len(positions.move), np.bool_)
    steps = steps_backward(positions)
    for side in Side:
        mean = (positions.status == Status(side)) - 1.0 * (positions.status == Status(side.other))
        wins = np.maximum(mean, 0)
        for step in steps:
            if step.ply % 2 == side:
                best = _best(step, mean, wins)
                is_response[step.first + best] = True
                for each in (mean, wins):
                    each[step.at] = each[step.child[best]]
            else:
                chance = probability[step.first : step.first + len(step.child)]
                for each in (mean, wins):
                    each[step.at] = np.add.reduceat(chance * each[step.child], step.start)
    return is_response


def _best(step: Step, mean: NDArray[np.float64], wins: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the place of the best child of each position, in the order of the step: [U]."""
    is_best = np.ones(len(step.child), np.bool_)
    for each in (mean, wins):
        after = np.where(is_best, each[step.child], -np.inf)
        most = np.repeat(np.maximum.reduceat(after, step.start), step.count)
        is_best = after >= most - _SAME
    places = np.flatnonzero(is_best)
    first: NDArray[np.int64] = places[np.searchsorted(places, step.start)]
    return first
