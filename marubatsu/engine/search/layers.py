"""One search from its root: the layers around negamax, which are a table, a trace and a stop."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from marubatsu.engine.ais.ai import Number
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.negamax import Layer, Visit, negamax
from marubatsu.engine.search.options import Algorithm, Options, Stop
from marubatsu.engine.search.successors import DrawnSuccessors, Successors
from marubatsu.engine.search.trace import Trace, Tracer


@dataclass
class TranspositionTable:
    """Bounds of the scores of positions up to symmetry, in the mover's view.

    One entry per class replaces an entry for each image.
    """

    graph: Graph
    least: Number  # the range of scores, circle's view
    greatest: Number
    up_to_symmetry: bool = True
    bounds: dict[int, tuple[Number, Number]] = field(default_factory=dict)  # by class, or number

    @property
    def size(self) -> int:
        """Number of boards, counting all images."""
        return sum(self.graph.class_.orbit[class_] for class_ in self.bounds)

    def layer(self, inner: Visit) -> Visit:
        """Return a visit that asks the table first, and else searches and stores bounds.

        Known bounds narrow the window of that search; the stored ones refer to the narrowed window.
        """
        bounds, ply = self.bounds, self.graph.ply
        key_of: Any = self.graph.class_ if self.up_to_symmetry else range(sys.maxsize)
        unknown = ((self.least, self.greatest), (-self.greatest, -self.least))

        def visit(number: int, alpha: Number, beta: Number) -> Number:
            key = key_of[number]
            stored = bounds.get(key)
            if stored is None:
                lower, upper = unknown[ply[number] & 1]
            else:
                lower, upper = stored
                if lower == upper:
                    return lower
                if upper <= alpha:
                    return upper
                if lower >= beta:
                    return lower
                alpha = max(alpha, lower)
                beta = min(beta, upper)
            score_mover = inner(number, alpha, beta)
            if score_mover <= alpha:
                upper = score_mover
            elif score_mover >= beta:
                lower = score_mover
            else:
                lower = upper = score_mover
            bounds[key] = (lower, upper)
            return score_mover

        return visit


class Stopped(Exception):  # noqa: N818, not an error
    """Time is up; the current search has no result."""


class Run:
    """The recursion that the options define, with its table; it can run repeatedly."""

    def __init__(
        self,
        graph: Graph,
        successors: Successors,
        options: Options,
        table: TranspositionTable | None,
        trace: Trace | None,
        stop: Stop | None = None,
        *,
        remembers: bool = False,
    ) -> None:
        """Combine the parts; ``remembers`` keeps the best child of every position searched."""
        self.table = table
        self._successors = successors
        layers: list[Layer] = []
        self._tracer = Tracer(graph, successors, trace) if trace else None
        if self._tracer:
            layers.append(self._tracer.inside)
        if table:
            layers.append(table.layer)
        if self._tracer:
            layers.append(self._tracer.outside)
        if stop:
            layers.append(stopping_layer(stop))
        self._graph = graph
        self._entries = 0
        self._best: dict[int, Any] | None = {} if remembers else None
        self._enter, self._visits = negamax(
            self._tracer or successors,
            prune=options.algorithm is not Algorithm.MINIMAX,
            scout=options.algorithm in (Algorithm.SCOUT, Algorithm.PVS),
            layers=tuple(layers),
            best=self._best,
            # Layers remember, stop or tell; draws differ from visit to visit.
            is_repeatable=not layers
            and not remembers
            and not isinstance(successors, DrawnSuccessors),
        )

    @property
    def nodes(self) -> int:
        """Number of nodes entered so far."""
        return self._entries + self._visits()

    @property
    def best(self) -> dict[int, int]:
        """The best child of every position searched, where the run remembers them."""
        steps = self._best or {}
        if self._tracer is None:
            return steps
        return {number: step.child for number, step in steps.items()}

    def start_again(self) -> None:
        """Clear the table and restart the random numbers."""
        if self.table:
            self.table.bounds.clear()
        if isinstance(self._successors, DrawnSuccessors):
            self._successors.start_again()

    def score(self, number: int, alpha: Number, beta: Number) -> Number:
        """Enter the search at its root with a window; window and score in circle's view."""
        self._entries += 1
        root: Any = self._tracer.root(number) if self._tracer else number
        if self._graph.ply[number] % 2:
            return -self._enter(root, -beta, -alpha)
        return self._enter(root, alpha, beta)


def stopping_layer(stop: Stop) -> Layer:
    """Return a layer that raises Stopped when time is up."""

    def layer(inner: Visit) -> Visit:
        def visit(number: int, alpha: Number, beta: Number) -> Number:
            if stop():
                raise Stopped
            return inner(number, alpha, beta)

        return visit

    return layer


def remembered(graph: Graph, best: dict[int, int]) -> Callable[[int], int | None]:
    """Return a function that gives the best child of a position, or of an image of it, in a run.

    The first symmetry that takes the image to the position takes the child along.
    """
    by_class = {graph.class_[number]: number for number in best}

    def child_of(number: int) -> int | None:
        best_child = best.get(number)
        like = by_class.get(graph.class_[number])
        if best_child is not None or like is None:
            return best_child
        symmetry = graph.images(like).index(graph.key(number))
        image = graph.images(best[like])[symmetry]
        return next(child for _, child in graph.edges(number) if graph.key(child) == image)

    return child_of
