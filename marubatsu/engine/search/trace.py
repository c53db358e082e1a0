"""The events of a search, enough to replay it.

The negamax stays unchanged: two layers, one outside and one inside the table, record every visit. A
traced search also enters leaves. A search without a trace has neither layer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf

from marubatsu.engine.ais.ai import Number
from marubatsu.engine.rules.position import Position
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.negamax import Visit
from marubatsu.engine.search.successors import Successors


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
        self._searched = False  # whether the last visit reached the negamax

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

    def root(self, number: int) -> _Step:
        """Return the step that enters the search."""
        return _Step(-1, number, None)

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
            self._searched = True
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
