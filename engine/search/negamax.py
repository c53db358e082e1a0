"""Negamax: the one recursion of every search that has a window.

Every score_mover here is the mover's (``score_mover``), so one maximising function
serves both sides. The node counts are those of two mirrored functions.
"""

from collections.abc import Callable
from math import inf
from typing import Any, TypeAlias

from marubatsu.engine.ais.ai import Number
from marubatsu.engine.search.successors import Successors

Visit: TypeAlias = Callable[[Any, Number, Number], Number]
"""From a position's number and a window to a score_mover, mover's view, fail-soft:

at most alpha: an upper bound; at least beta: a lower bound; between them: the exact score_mover.
"""

Layer: TypeAlias = Callable[[Visit], Visit]
"""What is wrapped around every visit."""


class Negamax:
    """The recursion with its layers; ``nodes`` counts what it visits below the root."""

    def __init__(  # noqa: C901, one recursion
        self,
        successors: Successors,
        *,
        prune: bool = True,
        scout: bool = False,
        layers: tuple[Layer, ...] = (),
        best: dict[int, Any] | None = None,
    ) -> None:
        """Make a search of ``successors``, fail-soft.

        ``prune``: narrow the window and cut; without it every position is visited. ``scout``: visit
        all but the first successor with a null window first. ``best`` hears the best child found of
        every position searched. ``layers`` stand inside one another, the first innermost.
        """
        nodes = 0

        def visit(number: Any, alpha: Number, beta: Number) -> Number:
            nonlocal nodes
            highest: Number = -inf
            found = None
            for child, leaf in successors[number]:
                nodes += 1
                if leaf is not None:
                    score_mover = leaf
                    if scout and found is not None and alpha < score_mover < beta:
                        nodes += 1  # The null window would have failed high.
                elif not scout or found is None:
                    score_mover = -enter(child, -beta, -alpha)
                else:
                    score_mover = -enter(child, -alpha - 1, -alpha)
                    if alpha < score_mover < beta:
                        nodes += 1
                        score_mover = -enter(child, -beta, -alpha)
                if score_mover > highest:
                    highest, found = score_mover, child
                    if prune and score_mover > alpha:
                        if score_mover >= beta:
                            break
                        alpha = score_mover
            if best is not None:
                best[number] = found
            return highest

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
