"""The events of a search, enough to replay it.

The kernel knows nothing of this: two layers, one outside and one inside the table, see every visit
come and go, and leaves are entered like everything else. Without a trace neither is there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from marubatsu.engine.ais.ai import Value
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.negamax import Visit
from marubatsu.engine.search.successors import Branches


class Kind(StrEnum):
    """What happens at a position."""

    ENTER = "enter"  # with a window
    HIT = "hit"  # the table knows the answer
    CUT = "cut"  # the other moves cannot matter any more
    LEAVE = "leave"  # with a score


@dataclass(frozen=True)
class Event:
    """One event; scores and windows in circle's view."""

    kind: Kind
    line: tuple[int, ...]  # moves from the position that is searched
    circle: int
    cross: int
    alpha: Value  # the window: at entry as it was given, at a cut as it has become
    beta: Value
    score: Value | None  # None at entry
    skipped: int  # moves that a cut leaves out, else 0


Trace = Callable[[Event], None]


@dataclass(frozen=True)
class _Step:
    """A branch of the traced search: a move, the position after it, its value if it is a leaf."""

    move: int
    child: int
    leaf: Value | None


class Tracer:
    """Tells every event of a search to somebody."""

    def __init__(self, graph: Graph, branches: Branches, trace: Trace) -> None:
        """Follow a search through ``branches``."""
        self._graph, self._branches, self._trace = graph, branches, trace
        self._line: list[int] = []
        self._entered: list[int] = []  # branches entered so far of each position being searched
        self._searched = False  # whether the last visit went on into the kernel

    def __getitem__(self, node: int) -> Sequence[tuple[_Step, None]]:
        """Return the branches of a position, leaves to be entered like all others."""
        moves = {child: move for move, child in self._graph.edges(node)}
        return [(_Step(moves[child], child, leaf), None) for child, leaf in self._branches[node]]

    def root(self, node: int) -> _Step:
        """Return what enters the search."""
        return _Step(-1, node, None)

    def outside(self, inner: Visit) -> Visit:
        """See a visit before the table does."""

        def visit(step: _Step, alpha: Value, beta: Value) -> Value:
            if step.move >= 0:
                self._line.append(step.move)
                self._entered[-1] += 1
            self._tell(Kind.ENTER, step.child, alpha, beta)
            if step.leaf is not None:
                score_mover: Value = -step.leaf
            else:
                self._searched = False
                score_mover = inner(step.child, alpha, beta)
                if not self._searched:
                    self._tell(Kind.HIT, step.child, alpha, beta, score_mover)
            self._tell(Kind.LEAVE, step.child, alpha, beta, score_mover)
            self._searched = True
            if step.move >= 0:
                self._line.pop()
            return score_mover

        return visit

    def inside(self, inner: Visit) -> Visit:
        """See what is left of a visit after the table."""

        def visit(node: int, alpha: Value, beta: Value) -> Value:
            self._entered.append(0)
            score_mover = inner(node, alpha, beta)
            self._searched = True
            skipped = len(self._branches[node]) - self._entered.pop()
            if skipped > 0:
                self._tell(Kind.CUT, node, alpha, beta, score_mover, skipped)
            return score_mover

        return visit

    def _tell(
        self,
        kind: Kind,
        node: int,
        alpha: Value,
        beta: Value,
        score_mover: Value | None = None,
        skipped: int = 0,
    ) -> None:
        graph = self._graph
        score = score_mover
        if graph.ply[node] % 2:  # Cross to move: from its view to circle's.
            alpha, beta = -beta, -alpha
            score = None if score_mover is None else -score_mover
        line = tuple(self._line)
        self._trace(Event(kind, line, *graph.masks(node), alpha, beta, score, skipped))
