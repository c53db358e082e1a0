"""Pure Monte Carlo: every legal move is followed by random games, and their mean is its value."""

from fractions import Fraction
from random import Random

from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.successors import LeafScore


def mean_results(
    graph: Graph, number: int, playouts: int, random: Random, leaf_score: LeafScore
) -> tuple[list[Fraction], int]:
    """Return the mean result of each legal move, mover's view, and the positions entered."""
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
