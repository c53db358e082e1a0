"""The graphs of a game for compiled searches: edges in search order, leaves with values."""

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.ais.policy import Policy
from marubatsu.engine.kernels.search_kernels import Floats, SearchGraph
from marubatsu.engine.rules.masks import Ints, Masks, distinct, images
from marubatsu.engine.rules.position import RESULTS, Status
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.engine.tree.classes import Classes
from marubatsu.engine.tree.positions import Positions


class Kind(NamedTuple):
    """What decides the order and the leaves of a search."""

    ordering: AI | None
    order_all: bool
    draws: bool
    evaluation: AI | None
    shortest_victory: bool


class SearchGraphs:
    """The graphs of a game, made for one kind of search after another."""

    def __init__(self, positions: Positions, classes: Classes) -> None:
        """Take the positions and the classes of a game."""
        self._positions, self._class = positions, classes.class_
        self.ply = positions.ply
        self._finished = positions.status != Status.PLAYING

    @cached_property
    def image(self) -> Ints:
        """Number of the image of each position under each symmetry: [S, N]."""
        positions = self._positions
        found = [
            self._numbers(images(symmetry, positions.circle), images(symmetry, positions.cross))
            for symmetry in symmetries(positions.game)
        ]
        return np.array(found, dtype=np.int32)

    def _numbers(self, circle: Masks, cross: Masks) -> Ints:
        """Return the numbers of positions, given by their masks."""
        positions = self._positions
        _, number = distinct(
            np.concatenate([positions.circle, circle]),
            np.concatenate([positions.cross, cross]),
            positions.game.cells,
        )
        return number[len(positions) :]

    def graph(self, kind: Kind, policy: Callable[[AI], Policy], *, deepens: bool) -> SearchGraph:
        """Return the graph for a kind of search; ``policy`` returns the choices of an AI."""
        positions = self._positions
        order = np.arange(len(positions.move), dtype=np.int32)
        first_candidate, candidate = positions.first_move[:1], np.zeros(0, np.int8)
        if kind.ordering is not None:
            choices = policy(kind.ordering)
            if kind.draws:
                first_candidate, candidate = self._candidates(choices)
            elif kind.order_all:
                order = self._by_rank(choices)
            else:
                order = self._head_first(choices)
        child = positions.child[order]
        return SearchGraph(
            ply=self.ply,
            class_=self._class,
            image=self.image if deepens else np.zeros((0, 0), np.int32),
            first=positions.first_move,
            child=np.where(self._finished[child], ~child, child),
            value=self.values(kind, policy)[order],
            first_candidate=first_candidate,
            candidate=candidate,
        )

    def values(self, kind: Kind, policy: Callable[[AI], Policy]) -> Floats:
        """Return the mover's score of each position after a move, as a leaf: [M].

        Without an evaluation it is 0 where the game goes on.
        """
        if kind.evaluation is not None:
            ai_score = policy(kind.evaluation).ai_score
            assert ai_score is not None
            return ai_score
        child = self._positions.child
        results = self.results(child, shortest_victory=kind.shortest_victory)
        return np.where(self.ply[child] % 2, results, -results)  # After an odd ply, circle moved.

    def results(self, numbers: Ints, *, shortest_victory: bool) -> Floats:
        """Return the scores of finished positions by their results, circle's view; 0 for others."""
        game, plies = self._positions.game, range(self._positions.game.cells + 1)
        sizes = [game.size_of_win(ply) if shortest_victory else 1 for ply in plies]
        scores = np.zeros(len(Status))
        for result in RESULTS:
            scores[result] = result.score
        found: Floats = scores[self._positions.status[numbers]] * np.array(sizes)[self.ply[numbers]]
        return found

    def _candidates(self, policy: Policy) -> tuple[Ints, NDArray[np.int8]]:
        """Return where the candidates of each position begin, and their places among its moves."""
        positions = self._positions
        chosen = np.flatnonzero(policy.is_candidate)
        parent = positions.parent[chosen]
        count = np.bincount(parent, minlength=len(positions))
        first = np.concatenate([[0], np.cumsum(count)]).astype(np.int32)
        return first, (chosen - positions.first_move[parent]).astype(np.int8)

    def _by_rank(self, policy: Policy) -> Ints:
        """Sort each position's moves by rank, descending; equal ranks keep their order."""
        rank = policy.is_candidate.astype(np.float64)
        if policy.ai_score is not None:
            rank = policy.ai_score
        return np.lexsort((-rank, self._positions.parent)).astype(np.int32)

    def _head_first(self, policy: Policy) -> Ints:
        """Swap the first candidate of each position with its first move."""
        positions = self._positions
        chosen = np.flatnonzero(policy.is_candidate).astype(np.int32)
        parents, first = np.unique(positions.parent[chosen], return_index=True)
        head, best = positions.first_move[parents], chosen[first]
        order = np.arange(len(positions.move), dtype=np.int32)
        order[head], order[best] = best, head
        return order
