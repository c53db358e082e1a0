"""The recursion of every search that has a window, and the table around it.

Scores are seen by the mover, so that min nodes are max nodes in a mirror; the node counts are those
of two mirrored functions.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any, TypeAlias

from marubatsu.engine.ais.ai import Value
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.successors import Branches

Visit: TypeAlias = Callable[[Any, Value, Value], Value]
"""From what a branch leads to (a position's number) and a window to its score, mover's view."""

Layer: TypeAlias = Callable[[Visit], Visit]
"""What is wrapped around every visit."""


class Kernel:
    """The recursion with its layers; ``nodes`` counts what it visits below the root."""

    def __init__(  # noqa: C901, one recursion
        self,
        branches: Branches,
        *,
        prune: bool = True,
        scout: bool = False,
        layers: tuple[Layer, ...] = (),
        best: dict[int, Any] | None = None,
    ) -> None:
        """Make a search of ``branches``, fail-soft.

        ``prune``: narrow the window and cut; without it every position is visited. ``scout``: visit
        all but the first branch with a null window first. ``best`` hears the best child found of
        every position searched. ``layers`` stand inside one another, the first innermost.
        """
        nodes = 0

        def visit(node: Any, alpha: Value, beta: Value) -> Value:
            nonlocal nodes
            score_mover: Value = -inf
            found = None
            for child, leaf in branches[node]:
                nodes += 1
                if leaf is not None:
                    value = leaf
                    if scout and found is not None and alpha < value < beta:
                        nodes += 1  # The null window would have failed high.
                elif not scout or found is None:
                    value = -enter(child, -beta, -alpha)
                else:
                    value = -enter(child, -alpha - 1, -alpha)
                    if alpha < value < beta:
                        nodes += 1
                        value = -enter(child, -beta, -alpha)
                if value > score_mover:
                    score_mover, found = value, child
                    if prune and value > alpha:
                        if value >= beta:
                            break
                        alpha = value
            if best is not None:
                best[node] = found
            return score_mover

        def count() -> int:
            return nodes

        enter: Visit = visit
        for layer in layers:
            enter = layer(enter)
        self.enter = enter
        self._count = count

    @property
    def nodes(self) -> int:
        """Visits so far, without the entries from outside."""
        return self._count()


@dataclass
class Table:
    """What is known of positions up to symmetry: bounds of the score, in the mover's view.

    One entry per class does what an entry for each of the images would do.
    """

    graph: Graph
    least: Value  # the score range, circle's view
    greatest: Value
    up_to_symmetry: bool = True
    bounds: dict[int, tuple[Value, Value]] = field(default_factory=dict)  # by class, or node

    @property
    def size(self) -> int:
        """Number of boards, all images counted."""
        return sum(self.graph.class_.orbit[class_] for class_ in self.bounds)

    def layer(self, inner: Visit) -> Visit:
        """Answer from the table, or search with a window narrowed by it, and store.

        The window remembered for the store is the narrowed one.
        """
        bounds, ply = self.bounds, self.graph.ply
        key_of: Any = self.graph.class_ if self.up_to_symmetry else range(sys.maxsize)
        unknown = ((self.least, self.greatest), (-self.greatest, -self.least))

        def visit(node: int, alpha: Value, beta: Value) -> Value:
            key = key_of[node]
            known = bounds.get(key)
            if known is None:
                lower, upper = unknown[ply[node] & 1]
            else:
                lower, upper = known
                if lower == upper:
                    return lower
                if upper <= alpha:
                    return upper
                if lower >= beta:
                    return lower
                alpha = max(alpha, lower)
                beta = min(beta, upper)
            score_mover = inner(node, alpha, beta)
            if score_mover <= alpha:
                upper = score_mover
            elif score_mover >= beta:
                lower = score_mover
            else:
                lower = upper = score_mover
            bounds[key] = (lower, upper)
            return score_mover

        return visit
