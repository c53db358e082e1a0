"""The successors of a position in the order in which they are searched.

A successor is a pair: the number of the position after the move, and the mover's score when that is
a leaf, else None. So negamax counts and scores leaves without entering them.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Protocol, TypeAlias, TypeVar

from marubatsu.engine.ais.afterstate import Afterstate
from marubatsu.engine.ais.ai import Cached, Choice, Number
from marubatsu.engine.boards.board import DRAW, PLAYING
from marubatsu.engine.rules.position import Status
from marubatsu.engine.search.graph import Edge, Graph

Successor: TypeAlias = tuple[Any, "Number | None"]
Second = TypeVar("Second")
Order: TypeAlias = Callable[[int, Sequence[Edge]], Sequence[Edge]]
"""A function from a position and its edges in ascending order to the edges in search order."""

LeafScore: TypeAlias = Callable[[int, int | None, int], "Number | None"]
"""A function from a position, a move and the child to the mover's score of a leaf, else None.

Without a move the child is the position itself.
"""


class Successors(Protocol):
    """The successors of every unfinished position."""

    def __getitem__(self, number: int) -> Sequence[Successor]:
        """Return the successors of a position."""


CachedSuccessors: TypeAlias = Cached[int, Sequence[Successor]]
"""Successors that are made once for each position."""


def fixed_successors(graph: Graph, order: Order, leaf_score: LeafScore) -> CachedSuccessors:
    """Return the successors in an order."""

    def make(number: int) -> Sequence[Successor]:
        edges = order(number, graph.edges(number))
        return [(child, leaf_score(number, move, child)) for move, child in edges]

    return Cached(make)


def preferred_successors(
    successors: Successors, leader: Callable[[int], int | None]
) -> CachedSuccessors:
    """Return successors with the child that ``leader`` returns, if any, swapped to the head."""

    def make(number: int) -> Sequence[Successor]:
        given, first = successors[number], leader(number)
        if first is None or first == given[0][0]:
            return given
        return swapped_to_head(given, first)

    return Cached(make)


class DrawnSuccessors:
    """Successors whose first move is drawn at every visit from the candidates of an AI."""

    def __init__(self, variants: "Cached[int, Variants]", seed: int) -> None:
        self._variants, self._seed = variants, seed
        self.start_again()

    def start_again(self) -> None:
        """Restart the random numbers of the seed."""
        self._random = Random(self._seed)  # noqa: S311, chance need not be unguessable

    def __getitem__(self, number: int) -> Sequence[Successor]:
        return self._random.choice(self._variants[number])


Variants: TypeAlias = tuple[Sequence[Successor], ...]
"""The successors with each of an AI's candidates at the head, in the candidates' order."""


def variants(
    graph: Graph, choose: Callable[[int], Sequence[int]], leaf_score: LeafScore
) -> Cached[int, Variants]:
    """Return the successors once with each of an AI's candidates, from ``choose``, at the head."""

    def make(number: int) -> Variants:
        edges = graph.edges(number)
        orders = (swapped_to_head(edges, move) for move in choose(number))
        return tuple(
            tuple((child, leaf_score(number, move, child)) for move, child in order)
            for order in orders
        )

    return Cached(make)


def swapped_to_head(pairs: Sequence[tuple[int, Second]], first: int) -> list[tuple[int, Second]]:
    """Return the pairs with the one that starts with ``first`` and the head swapped."""
    swapped = list(pairs)
    place = next(i for i, pair in enumerate(pairs) if pair[0] == first)
    swapped[0], swapped[place] = swapped[place], swapped[0]
    return swapped


def ascending(number: int, edges: Sequence[Edge]) -> Sequence[Edge]:
    """Keep the order of the legal moves."""
    return edges


def by_ai_score(choices: Mapping[int, Choice]) -> Order:
    """Order all moves by AI score, descending; equal scores keep their order."""

    def order(number: int, edges: Sequence[Edge]) -> Sequence[Edge]:
        choice = choices[number]
        rank = dict(zip(choice.legal, choice.ranks(), strict=True))
        return sorted(edges, key=lambda edge: -rank[edge[0]])

    return order


def result_scores(graph: Graph, *, shortest_victory: bool) -> LeafScore:
    """Score finished positions by their result; no other position is a leaf."""
    game, statuses, plies = graph.game, graph.status, graph.ply

    def score_mover(number: int, move: int | None, child: int) -> Number | None:
        status = statuses[child]
        if status is PLAYING:
            return None
        if status is DRAW:
            return 0
        ply = plies[child]
        size = game.size_of_win(ply) if shortest_victory else 1
        return size if (status is Status.CIRCLE) == (ply % 2 == 1) else -size

    return score_mover


def evaluated_scores(
    graph: Graph, evaluate: Callable[[Afterstate], Number], horizon: int
) -> LeafScore:
    """Score finished positions, and those with ``horizon`` marks, by an evaluation."""
    statuses, plies = graph.status, graph.ply

    def score_mover(number: int, move: int | None, child: int) -> Number | None:
        if statuses[child] is PLAYING and plies[child] < horizon:
            return None
        return graph.evaluate(number, move, evaluate)

    return score_mover
