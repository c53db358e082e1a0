"""The left-first minimal graph: what alpha-beta with a table visits when it errs nowhere.

Plaat, Schaeffer, Pijls and de Bruin, *Exploiting Graph Properties of Game Trees* (AAAI 1996), call
it so, and measure how much smaller a graph suffices: the *real minimal graph*, of which they write
that it is too expensive to compute. Here the moves come by their true value, best first, and among
equal values the first cell first. The table holds bounds of every class.
"""

import numpy as np

from marubatsu.pipeline.laboratory.class_graph import ClassGraph

_OPEN = 2


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
            node, (-_OPEN, _OPEN) if end > start else (value[node], value[node])
        )
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        best = -_OPEN
        for after in child[start:end]:
            best = max(best, -search(after, -beta, -max(alpha, best)))
            if best >= beta:
                break
        bounds[node] = (low if best <= alpha else best, high if best >= beta else best)
        return best

    search(0, -_OPEN, _OPEN)
    return len(bounds)
