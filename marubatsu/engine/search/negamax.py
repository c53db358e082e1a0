"""Negamax: the one recursion of every search that has a window.

Every score is from the mover's view (``score_mover``), so one maximising function serves both
sides. The node counts equal those of two mirrored functions.
"""

from collections.abc import Callable
from math import inf
from typing import Any, TypeAlias

from marubatsu.engine.ais.ai import Number
from marubatsu.engine.search.graph import Successors

Visit: TypeAlias = Callable[[Any, Number, Number], Number]
"""A function from a position's number and a window to a score, mover's view, fail-soft:

at most alpha: an upper bound; at least beta: a lower bound; between them: the exact score.
"""

Layer: TypeAlias = Callable[[Visit], Visit]
"""A wrapper around every visit."""


def negamax(  # noqa: C901, one recursion
    successors: Successors,
    *,
    prune: bool = True,
    scout: bool = False,
    layers: tuple[Layer, ...],
    best: dict[int, Any] | None = None,
    is_repeatable: bool = False,
) -> tuple[Visit, Callable[[], int]]:
    """Return a fail-soft search of ``successors``, and a count of its visits below the root.

    ``prune``: narrow the window and cut; without it every position is visited. ``scout``: visit
    all but the first successor with a null window first. ``best`` receives the best child of
    every position searched. ``layers`` are nested, the first innermost. ``is_repeatable``:
    a visit with the same window always ends the same, so it is made once, and counted again.
    """
    nodes = 0

    def visit(number: Any, alpha: Number, beta: Number) -> Number:
        nonlocal nodes
        highest: Number = -inf
        best_child = None
        for child, leaf in successors[number]:
            nodes += 1
            if leaf is not None:
                score_mover = leaf
                if scout and best_child is not None and alpha < score_mover < beta:
                    nodes += 1  # The null window would have failed high.
            elif not scout or best_child is None:
                score_mover = -enter(child, -beta, -alpha)
            else:
                score_mover = -enter(child, -alpha - 1, -alpha)
                if alpha < score_mover < beta:
                    nodes += 1
                    score_mover = -enter(child, -beta, -alpha)
            if score_mover > highest:
                highest, best_child = score_mover, child
                if prune and score_mover > alpha:
                    if score_mover >= beta:
                        break
                    alpha = score_mover
        if best is not None:
            best[number] = best_child
        return highest

    visited: dict[tuple[Any, Number, Number], tuple[Number, int]] = {}

    def visit_once(number: Any, alpha: Number, beta: Number) -> Number:
        nonlocal nodes
        visit_before = visited.get((number, alpha, beta))
        if visit_before is None:
            before = nodes
            score_mover = visit(number, alpha, beta)
            visited[number, alpha, beta] = score_mover, nodes - before
            return score_mover
        nodes += visit_before[1]
        return visit_before[0]

    def count() -> int:
        return nodes

    enter: Visit = visit_once if is_repeatable else visit
    for layer in layers:
        enter = layer(enter)
    return enter, count
