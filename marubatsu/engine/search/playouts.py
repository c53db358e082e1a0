"""Pure Monte Carlo: the value of a legal move is the mean result of random games after it."""

from fractions import Fraction
from random import Random

from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.successors import LeafScore


def mean_results(
    graph: Graph, number: int, playouts: int, random: Random, leaf_score: LeafScore
) -> tuple[list[Fraction], int]:
    """Return the mean result of each legal move, mover's view, and the number of nodes entered."""
    means = []
    nodes = 0
    for first in graph.edges(number):
        total = 0
        for _ in range(playouts):
            before, (move, child) = number, first
            sign = 1
            nodes += 1
            while (result := leaf_score(before, move, child)) is None:
                before, (move, child) = child, random.choice(graph.edges(child))
                sign = -sign
                nodes += 1
            total += sign * int(result)
        means.append(Fraction(total, playouts))
    return means, nodes
