"""The successors of a position in the order in which they are searched.

A successor is a pair: the number of the position after the move, and the mover's score when that is
a leaf, else None. So negamax counts and scores leaves without entering them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from random import Random
from typing import Any, Protocol, TypeAlias, TypeVar

from marubatsu.engine.ais.afterstate import Afterstate
from marubatsu.engine.ais.ai import Choice, Number
from marubatsu.engine.boards.board import DRAW, PLAYING
from marubatsu.engine.rules.position import Status
from marubatsu.engine.search.graph import Edge, Graph

Successor: TypeAlias = tuple[Any, "Number | None"]
Second = TypeVar("Second")
Order: TypeAlias = Callable[[int, Sequence[Edge]], Sequence[Edge]]
"""A function from a position and its edges in ascending order to the edges in search order."""

LeafScore: TypeAlias = Callable[[int, int, int], "Number | None"]
"""A function from a position, a move and the child to the mover's score of a leaf, else None."""


class Successors(Protocol):
    """The successors of every unfinished position."""

    def __getitem__(self, number: int) -> Sequence[Successor]:
        """Return the successors of a position."""


class FixedSuccessors(dict[int, list[Successor]]):
    """Successors in a fixed order, made once for each position."""

    def __init__(self, graph: Graph, order: Order, leaf_score: LeafScore) -> None:
        super().__init__()
        self._graph, self._order, self._leaf_score = graph, order, leaf_score

    def __missing__(self, number: int) -> list[Successor]:
        """Make the successors of a position."""
        edges = self._order(number, self._graph.edges(number))
        leaf_score = self._leaf_score
        successors = self[number] = [
            (child, leaf_score(number, move, child)) for move, child in edges
        ]
        return successors


class PreferredSuccessors(dict[int, Sequence[Successor]]):
    """Given successors, with the child that ``leader`` returns swapped to the head."""

    def __init__(self, successors: Successors, leader: Callable[[int], int | None]) -> None:
        """Start with none; ``leader`` returns a child of a position, or None."""
        super().__init__()
        self._successors, self._leader = successors, leader

    def __missing__(self, number: int) -> Sequence[Successor]:
        """Make the successors of a position."""
        successors = self._successors[number]
        leader = self._leader(number)
        if leader is not None and successors[0][0] != leader:
            successors = swapped_to_head(successors, leader)
        self[number] = successors
        return successors


class DrawnSuccessors:
    """Successors whose first move is drawn at random at every visit, from the candidates of an AI.

    The draws equal those of ``random.choice`` of a fresh ``Random(seed)``. It takes the upper bits
    of one 32-bit word of the generator, and of another word while the number is too great.
    """

    def __init__(self, variants: "FixedVariants", seed: int) -> None:
        self._variants, self._seed = variants, seed
        self.start_again()

    def start_again(self) -> None:
        """Restart the random numbers of the seed."""
        self._words = _words(self._seed)

    def __getitem__(self, number: int) -> tuple[Successor, ...]:
        """Return the successors of a position for one visit."""
        shift, variants = self._variants[number]
        words = self._words
        drawn = next(words) >> shift
        while drawn >= len(variants):
            drawn = next(words) >> shift
        return variants[drawn]


_PREPARED = 512  # words, enough for most searches


@cache
def _first_words(seed: int) -> list[int]:
    return list(islice(_drawn(seed, 0), _PREPARED))


def _words(seed: int) -> Iterator[int]:
    """Yield the 32-bit words of ``Random(seed)``.

    The first ones are cached, because seeding takes longer than most searches.
    """
    return chain(_first_words(seed), _drawn(seed, _PREPARED))


def _drawn(seed: int, skipped: int) -> Iterator[int]:
    bits = Random(seed).getrandbits  # noqa: S311, chance need not be unguessable
    for _ in range(skipped):
        bits(32)
    while True:
        yield bits(32)


class FixedVariants(dict[int, tuple[int, tuple[tuple[Successor, ...], ...]]]):
    """The successors of every position, once with each of an AI's candidates at the head.

    A value is (bits to shift a 32-bit word for a draw, variants in the candidates' order).
    """

    def __init__(
        self, graph: Graph, choose: Callable[[int], Sequence[int]], leaf_score: LeafScore
    ) -> None:
        """Start with none; ``choose`` returns the candidates in a position."""
        super().__init__()
        self._graph, self._choose, self._leaf_score = graph, choose, leaf_score

    def __missing__(self, number: int) -> tuple[int, tuple[tuple[Successor, ...], ...]]:
        """Make the variants of a position."""
        edges = self._graph.edges(number)
        variants = tuple(
            tuple(
                (child, self._leaf_score(number, m, child))
                for m, child in swapped_to_head(edges, move)
            )
            for move in self._choose(number)
        )
        made = self[number] = (32 - len(variants).bit_length(), variants)
        return made


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


def by_head(choose: Callable[[int], int]) -> Order:
    """Return an order that swaps the AI's move of every position with the first one."""
    return lambda number, edges: swapped_to_head(edges, choose(number))


def result_scores(graph: Graph, *, shortest_victory: bool) -> LeafScore:
    """Score finished positions by their result; no other position is a leaf."""
    game, statuses, plies = graph.game, graph.status, graph.ply

    def score_mover(number: int, move: int, child: int) -> Number | None:
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

    def score_mover(number: int, move: int, child: int) -> Number | None:
        if statuses[child] is PLAYING and plies[child] < horizon:
            return None
        return graph.evaluate(number, move, evaluate)

    return score_mover
