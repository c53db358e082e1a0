"""The transposition table: bounds of scores, up to symmetry."""

import sys
from dataclasses import dataclass, field
from typing import Any

from marubatsu.engine.ais.ai import Number
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.negamax import Visit


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
