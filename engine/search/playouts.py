"""Pure Monte Carlo: every legal move is followed by random games, and their mean is its value."""

from fractions import Fraction
from random import Random

from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.successors import LeafValue


def values_of_moves(
    graph: Graph, node: int, playouts: int, random: Random, leaf_value: LeafValue
) -> tuple[list[Fraction], int]:
    """Return the mean result of each legal move, mover's view, and the positions entered."""
    values = []
    nodes = 0
    for first in graph.edges(node):
        total = 0
        for _ in range(playouts):
            before, (move, child) = node, first
            sign = 1
            nodes += 1
            while (result := leaf_value(before, move, child)) is None:
                before, (move, child) = child, random.choice(graph.edges(child))
                sign = -sign
                nodes += 1
            total += sign * int(result)
        values.append(Fraction(total, playouts))
    return values, nodes
