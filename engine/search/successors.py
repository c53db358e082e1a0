"""The moves of a position in the order in which they are searched, with the values of its leaves.

A branch is (position after the move, its value for the mover when it is a leaf, else None): so the
kernel need not enter leaves to count and value them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from random import Random
from typing import Any, Protocol, TypeAlias

from marubatsu.engine.ais.afterstate import After
from marubatsu.engine.ais.ai import Choice, Value
from marubatsu.engine.boards.board import DRAW, PLAYING
from marubatsu.engine.rules.game import Status
from marubatsu.engine.search.graph import Edge, Graph
from marubatsu.engine.search.options import score_of_win

Branch: TypeAlias = tuple[Any, "Value | None"]
Order: TypeAlias = Callable[[int, Sequence[Edge]], Sequence[Edge]]
"""From a position and its edges in ascending order to the edges as they are searched."""

LeafValue: TypeAlias = Callable[[int, int, int], "Value | None"]
"""From a position, a move and the position after it to its value for the mover; None: no leaf."""


class Branches(Protocol):
    """The branches of every unfinished position."""

    def __getitem__(self, node: int) -> Sequence[Branch]:
        """Return the branches of a position."""


class FixedBranches(dict[int, list[Branch]]):
    """Branches in an order that never changes; each position's are made once."""

    def __init__(self, graph: Graph, order: Order, leaf_value: LeafValue) -> None:
        """Start with none."""
        super().__init__()
        self._graph, self._order, self._leaf_value = graph, order, leaf_value

    def __missing__(self, node: int) -> list[Branch]:
        """Make the branches of a position."""
        edges = self._order(node, self._graph.edges(node))
        leaf_value = self._leaf_value
        branches = self[node] = [(child, leaf_value(node, move, child)) for move, child in edges]
        return branches


class LedBranches(dict[int, Sequence[Branch]]):
    """Other branches with one child swapped to the head wherever somebody names one."""

    def __init__(self, branches: Branches, leader: Callable[[int], int | None]) -> None:
        """Start with none; ``leader`` names a child of a position, or None."""
        super().__init__()
        self._branches, self._leader = branches, leader

    def __missing__(self, node: int) -> Sequence[Branch]:
        """Make the branches of a position."""
        branches = self._branches[node]
        leader = self._leader(node)
        if leader is not None and branches[0][0] != leader:
            swapped = list(branches)
            place = next(i for i, branch in enumerate(branches) if branch[0] == leader)
            swapped[0], swapped[place] = swapped[place], swapped[0]
            branches = swapped
        self[node] = branches
        return branches


class DrawnBranches:
    """Branches whose head is drawn anew at every visit, among the moves an AI may choose.

    It draws what ``random.choice`` of a fresh ``Random(seed)`` would: that takes the upper bits of
    one 32-bit word of the generator, and another word while the number is too great.
    """

    def __init__(self, variants: "FixedVariants", seed: int) -> None:
        """Draw among prepared variants."""
        self._variants, self._seed = variants, seed
        self.start_again()

    def start_again(self) -> None:
        """Go back to the beginning of the seed's random numbers."""
        self._words = _words(self._seed)

    def __getitem__(self, node: int) -> tuple[Branch, ...]:
        """Return the branches of a position for one visit."""
        shift, variants = self._variants[node]
        words = self._words
        drawn = next(words) >> shift
        while drawn >= len(variants):
            drawn = next(words) >> shift
        return variants[drawn]


_PREPARED = 512  # words that most searches need no more of


@cache
def _first_words(seed: int) -> list[int]:
    return list(islice(_drawn(seed, 0), _PREPARED))


def _words(seed: int) -> Iterator[int]:
    """Yield the 32-bit words of ``Random(seed)``; seeding it takes longer than most searches."""
    return chain(_first_words(seed), _drawn(seed, _PREPARED))


def _drawn(seed: int, skipped: int) -> Iterator[int]:
    bits = Random(seed).getrandbits  # noqa: S311, chance need not be unguessable
    for _ in range(skipped):
        bits(32)
    while True:
        yield bits(32)


class FixedVariants(dict[int, tuple[int, tuple[tuple[Branch, ...], ...]]]):
    """For every position the branches with each of an AI's candidates at the head.

    A value is (bits of a word that are too many to draw one, variants in the candidates' order).
    """

    def __init__(
        self, graph: Graph, choose: Callable[[int], Sequence[int]], value: LeafValue
    ) -> None:
        """Start with none; ``choose`` gives the candidates in a position."""
        super().__init__()
        self._graph, self._choose, self._leaf_value = graph, choose, value

    def __missing__(self, node: int) -> tuple[int, tuple[tuple[Branch, ...], ...]]:
        """Make the variants of a position."""
        edges = self._graph.edges(node)
        variants = tuple(
            tuple(
                (child, self._leaf_value(node, m, child))
                for m, child in swapped_to_head(edges, move)
            )
            for move in self._choose(node)
        )
        made = self[node] = (32 - len(variants).bit_length(), variants)
        return made


def swapped_to_head(edges: Sequence[Edge], move: int) -> list[Edge]:
    """Swap a move with the first one."""
    swapped = list(edges)
    place = next(i for i, edge in enumerate(edges) if edge[0] == move)
    swapped[0], swapped[place] = swapped[place], swapped[0]
    return swapped


def ascending(node: int, edges: Sequence[Edge]) -> Sequence[Edge]:
    """Keep the order of the legal moves."""
    return edges


def by_value(choices: Mapping[int, Choice]) -> Order:
    """Order all moves by an AI's value, descending; equal values keep their order."""

    def order(node: int, edges: Sequence[Edge]) -> Sequence[Edge]:
        choice = choices[node]
        rank = dict(zip(choice.legal, choice.ranks(), strict=True))
        return sorted(edges, key=lambda edge: -rank[edge[0]])

    return order


def by_head(choose: Callable[[int], int]) -> Order:
    """Swap one move of every position with the first one."""
    return lambda node, edges: swapped_to_head(edges, choose(node))


def result_values(graph: Graph, *, shortest_victory: bool) -> LeafValue:
    """Value finished positions by their result; nothing else is a leaf."""
    game, statuses, plies = graph.game, graph.status, graph.ply

    def value(node: int, move: int, child: int) -> Value | None:
        status = statuses[child]
        if status is PLAYING:
            return None
        if status is DRAW:
            return 0
        ply = plies[child]
        size = score_of_win(game, ply) if shortest_victory else 1
        return size if (status is Status.CIRCLE) == (ply % 2 == 1) else -size

    return value


def evaluated_values(graph: Graph, evaluate: Callable[[After], Value], horizon: int) -> LeafValue:
    """Value finished positions, and those with ``horizon`` marks, by an evaluation."""
    statuses, plies = graph.status, graph.ply

    def value(node: int, move: int, child: int) -> Value | None:
        if statuses[child] is PLAYING and plies[child] < horizon:
            return None
        return graph.evaluate(node, move, evaluate)

    return value
