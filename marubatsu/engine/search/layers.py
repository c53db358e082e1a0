"""One search from its root: the layers around negamax, which are a table, a trace and a stop.

A trace has the events of a search, enough to replay it. Two layers, one outside and one inside the
table, record every visit; a traced search also enters leaves. Without a trace there is neither.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from typing import Any

from marubatsu.engine.ais.ai import Number
from marubatsu.engine.rules.position import Position
from marubatsu.engine.search.graph import DrawnSuccessors, Graph, Successors
from marubatsu.engine.search.negamax import Layer, Visit, negamax
from marubatsu.engine.search.options import Options, Stop


@dataclass
class TranspositionTable:
    """Bounds of the scores of positions, in the mover's view.

    Up to symmetry, one entry for a class replaces an entry for each image.
    """

    graph: Graph
    least: Number  # the range of scores, circle's view
    greatest: Number
    up_to_symmetry: bool = True
    bounds: dict[int, tuple[Number, Number]] = field(default_factory=dict)  # by class, or number

    @property
    def size(self) -> int:
        """Number of boards that it serves."""
        orbit = self.graph.class_.orbit
        return sum(orbit[key] for key in self.bounds) if self.up_to_symmetry else len(self.bounds)

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


class EventKind(StrEnum):
    """The kind of an event at a position."""

    ENTER = "enter"  # with a window
    HIT = "hit"  # the table has the score
    CUT = "cut"  # the other moves cannot change the result
    LEAVE = "leave"  # with a score


@dataclass(frozen=True)
class Event:
    """One event; scores and windows in circle's view."""

    kind: EventKind
    variation: tuple[int, ...]  # moves from the position that is searched
    position: Position
    alpha: Number  # the window as given; at a cut, as the table and the moves before narrowed it
    beta: Number
    score: Number | None  # None at entry
    skipped: int  # moves that a cut leaves out, else 0


Trace = Callable[[Event], object]
"""A function that takes each event."""


def trace_leaf(position: Position, score: Number, trace: Trace) -> None:
    """Report that a search enters a position that it need not search."""
    trace(Event(EventKind.ENTER, (), position, -inf, inf, None, 0))
    trace(Event(EventKind.LEAVE, (), position, -inf, inf, score, 0))


@dataclass(frozen=True)
class _Step:
    """A successor in a traced search: its move, its number, its score if it is a leaf."""

    move: int
    child: int
    leaf: Number | None


@dataclass
class _Tried:
    """The successors that a visit has entered so far; scores in its mover's view."""

    number: int = 0
    last: int = -1
    score: Number = -inf  # of the last one
    highest: Number = -inf  # of those before it

    def enter(self, child: int) -> None:
        """Note that a successor is entered, perhaps the last one again, with another window."""
        if child != self.last:
            self.number += 1
            self.last, self.highest = child, max(self.highest, self.score)


class Tracer:
    """The layers that report every event of a search to ``trace``."""

    def __init__(self, graph: Graph, successors: Successors, trace: Trace) -> None:
        self._graph, self._successors, self._trace = graph, successors, trace
        self._steps: dict[int, dict[int, tuple[_Step, None]]] = {}  # by position and child
        self._variation: list[int] = []
        self._tried: list[_Tried] = []  # by depth
        self._searched = False  # whether a visit went past the table

    def __getitem__(self, number: int) -> Sequence[tuple[_Step, None]]:
        """Return the successors of a position; the search enters leaves too."""
        successors = self._successors[number]
        steps = self._steps.get(number)
        if steps is None:
            moves = {child: move for move, child in self._graph.edges(number)}
            steps = self._steps[number] = {
                child: (_Step(moves[child], child, leaf), None) for child, leaf in successors
            }
        return [steps[child] for child, _ in successors]

    def outside(self, inner: Visit) -> Visit:
        """Wrap a visit outside the table: report entry, table hit and score."""

        def visit(step: _Step, alpha: Number, beta: Number) -> Number:
            if step.move >= 0:
                self._variation.append(step.move)
                self._tried[-1].enter(step.child)
            self._tell(EventKind.ENTER, step.child, alpha, beta)
            if step.leaf is not None:
                score_mover: Number = -step.leaf
            else:
                self._searched = False
                score_mover = inner(step.child, alpha, beta)
                if not self._searched:
                    self._tell(EventKind.HIT, step.child, alpha, beta, score_mover)
            self._tell(EventKind.LEAVE, step.child, alpha, beta, score_mover)
            if step.move >= 0:
                self._variation.pop()
                self._tried[-1].score = -score_mover
            return score_mover

        return visit

    def inside(self, inner: Visit) -> Visit:
        """Wrap a visit inside the table: report a cut."""

        def visit(number: int, alpha: Number, beta: Number) -> Number:
            self._tried.append(_Tried())
            score_mover = inner(number, alpha, beta)
            self._searched = True
            tried = self._tried.pop()
            skipped = len(self._graph.edges(number)) - tried.number
            if skipped > 0:
                narrowed = max(alpha, tried.highest)
                self._tell(EventKind.CUT, number, narrowed, beta, score_mover, skipped)
            return score_mover

        return visit

    def _tell(
        self,
        kind: EventKind,
        number: int,
        alpha: Number,
        beta: Number,
        score_mover: Number | None = None,
        skipped: int = 0,
    ) -> None:
        graph = self._graph
        score = score_mover
        if graph.ply[number] % 2:  # Cross to move: from its view to circle's.
            alpha, beta = -beta, -alpha
            score = None if score_mover is None else -score_mover
        variation = tuple(self._variation)
        self._trace(Event(kind, variation, graph.position(number), alpha, beta, score, skipped))


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
        stop: Stop | None,
        *,
        remembers: bool = False,
    ) -> None:
        """Combine the parts; ``remembers`` keeps the best child of every position searched."""
        self.table = table
        self.successors = successors
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
            prune=options.traits.prunes,
            scout=options.traits.scouts,
            layers=tuple(layers),
            best=self._best,
            # Layers remember, stop or record; draws differ from visit to visit.
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
        if isinstance(self.successors, DrawnSuccessors):
            self.successors.start_again()

    def score(self, number: int, alpha: Number, beta: Number) -> Number:
        """Enter the search at its root with a window; window and score in circle's view."""
        self._entries += 1
        root: Any = _Step(-1, number, None) if self._tracer else number
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
