"""What alpha-beta must visit at least, as a tree and as a graph.

**The least tree**, over all orders of the moves at all its nodes: Knuth and Moore, *An Analysis of
Alpha-Beta Pruning* (1975), count it for uniform trees. Here it is counted in the full tree of a
game, where two nodes that show one position may order its moves differently. The minimum depends on
position and window only, so one pass over the positions finds it, for all windows between scores.

**The left-first minimal graph**, which alpha-beta with a table visits when it errs nowhere: Plaat,
Schaeffer, Pijls and de Bruin, *Exploiting Graph Properties of Game Trees* (AAAI 1996), call it so,
and measure how much smaller a graph suffices: the *real minimal graph*, of which they write that it
is too expensive to compute. Here the moves come by their true value, best first, and among equal
values the first cell first. The table holds bounds of every class.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.masks import Bools
from marubatsu.engine.tree.induction import PositionScores, Step, steps_backward
from marubatsu.engine.tree.positions import Positions
from marubatsu.pipeline.laboratory.proof_graph import ClassGraph

OPEN = 2
"""A bound beyond all scores: the window (-OPEN, OPEN) never cuts."""

Counts = NDArray[np.float64]
"""Nodes: [positions]; infinite where an order of moves is impossible. Exact up to 2**53."""

_Nodes = dict[tuple[int, int], Counts]
"""The least nodes by window, from the view of the side to move."""


def least_nodes(
    positions: Positions, scores: PositionScores, alpha: int = -OPEN, beta: int = OPEN
) -> Counts:
    """Return the fewest nodes that alpha-beta visits from each position with a root window: [N].

    The scores are -1, 0 and +1. A search with alpha = -OPEN and beta = OPEN has no root window.
    """
    score_mover = scores.score * np.where(positions.ply % 2 == 0, 1, -1)  # [N]
    windows = list(combinations(range(-OPEN, OPEN + 1), 2))
    nodes: _Nodes = {window: np.ones(len(positions)) for window in windows}
    for step in steps_backward(positions):
        gains = -score_mover[step.child]  # what each move is worth to the mover
        below = [_least_below(nodes, step, gains, *window) for window in windows]
        for window, counts in zip(windows, below, strict=True):
            nodes[window][step.at] = 1 + counts
    return nodes[alpha, beta]


def _least_below(
    nodes: _Nodes, step: Step, gains: NDArray[np.int8], alpha: int, beta: int
) -> Counts:
    """Return the least nodes of all children, over all ways in which alpha may grow: [U]."""
    between = range(alpha + 1, beta)
    ways = [way for size in range(len(between) + 1) for way in combinations(between, size)]
    totals = [_total(nodes, step, gains, (alpha, *way), beta) for way in ways]
    least: Counts = np.minimum.reduce(totals)
    return least


def _total(
    nodes: _Nodes, step: Step, gains: NDArray[np.int8], alphas: tuple[int, ...], beta: int
) -> Counts:
    """Return the least nodes of all children while alpha takes these values in turn: [U].

    Each value after the first is that of one child, searched with the window before it. A position
    with a child that reaches beta needs one such child, and no other.
    """
    after = [nodes[-beta, -alpha][step.child] for alpha in alphas]  # [K] each
    cuts = _least(step, gains >= beta, after[-1])
    # A child that does not raise alpha is searched with the least of the windows.
    searched = zip(alphas, after, strict=True)
    quiet = np.minimum.reduce([np.where(gains <= a, counts, np.inf) for a, counts in searched])
    raising, extra = np.zeros(len(step.at)), np.zeros(len(step.at))
    with np.errstate(invalid="ignore"):
        for gain, counts in zip(alphas[1:], after[:-1], strict=True):
            raising += _least(step, gains == gain, counts)
            extra += _least(step, gains == gain, counts - quiet)
        all_children = np.add.reduceat(quiet, step.start) + extra
    return np.where(np.isfinite(cuts), cuts + raising, all_children)


def _least(step: Step, among: Bools, counts: Counts) -> Counts:
    least: Counts = np.minimum.reduceat(np.where(among, counts, np.inf), step.start)
    return least


def left_first_graph(graph: ClassGraph) -> int:
    """Return how many classes alpha-beta with a table visits, from the empty board."""
    sign = np.where(graph.ply % 2 == 0, 1, -1)
    gains = graph.score[graph.child] * sign[graph.parent]
    order = np.lexsort((graph.move, -gains, graph.parent))
    child = graph.child[order].tolist()
    first = np.searchsorted(graph.parent, np.arange(len(graph.ply) + 1)).tolist()
    value = (graph.score * sign).tolist()  # the mover's view
    bounds: dict[int, tuple[int, int]] = {}

    def search(node: int, alpha: int, beta: int) -> int:
        start, end = first[node], first[node + 1]
        low, high = bounds.setdefault(
            node, (-OPEN, OPEN) if end > start else (value[node], value[node])
        )
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        best = -OPEN
        for after in child[start:end]:
            best = max(best, -search(after, -beta, -max(alpha, best)))
            if best >= beta:
                break
        bounds[node] = (low if best <= alpha else best, high if best >= beta else best)
        return best

    search(0, -OPEN, OPEN)
    return len(bounds)
