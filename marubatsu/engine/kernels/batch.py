"""Searches of many positions at a time, compiled, with the results of `engine.search.driver`.

A search reads the graph of a game: its edges in search order, its leaves with their values.
"""

from collections.abc import Callable
from dataclasses import fields
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.ai import AI, Afterstate, evaluation_of
from marubatsu.engine.ais.policy import Policy
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.kernels.search_kernels import (
    Floats,
    Memory,
    SearchGraph,
    Switches,
    new_memory,
    play_all,
    search_all,
)
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Ints, Masks, distinct, images
from marubatsu.engine.rules.position import RESULTS, Status
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.engine.search.options import EVERYTHING, Algorithm, Options, score_range
from marubatsu.engine.tree.positions import Classes, Positions

_FEW_WORDS = 1 << 12
_ALGORITHMS = {  # whose results the kernels have as the driver has them
    Algorithm.MINIMAX, Algorithm.ALPHABETA, Algorithm.SCOUT, Algorithm.MTDF, Algorithm.NULLWINDOW,
    Algorithm.DEPTH_LIMITED, Algorithm.ITERATIVE_DEEPENING, Algorithm.PVS, Algorithm.MONTE_CARLO,
}  # fmt: skip
_COMPILED = {
    "algorithm", "ordering", "order_all", "shortest_victory", "init_window", "use_table",
    "max_depth", "evaluation", "seed", "playouts",
}  # fmt: skip


class Counts(NamedTuple):
    """The results of searches of P positions."""

    scores: Floats  # [P] circle's view
    nodes: NDArray[np.int64]  # [P]


class CompiledSearches:
    """All positions of a game, ready for compiled searches; one thread uses it at a time."""

    def __init__(
        self, positions: Positions, classes: Classes, policy: Callable[[AI], Policy]
    ) -> None:
        """Take the graph of a game; ``policy`` returns the choices of an AI in all positions."""
        self._positions, self._policy = positions, policy
        self._class = classes.class_
        self._last: tuple[object, SearchGraph, Memory] | None = None
        self._words: dict[int, NDArray[np.int64]] = {}  # by seed, as many as were needed so far

    @staticmethod
    def knows(options: Options) -> bool:
        """Return whether the kernels give the results of `engine.search` for some options.

        They know the algorithms of `_ALGORITHMS` and the options of `_COMPILED`; any other option
        must have its default. Their scores are doubles and not exact, so the weights of the AIs
        must be doubles too: 0.5, but not 0.1.
        """
        others = [field for field in fields(options) if field.name not in _COMPILED]
        weights = [
            weight
            for ai in (options.ordering, options.evaluation)
            for _, weight in (ai.parameters if ai else ())
            if isinstance(weight, int | float | Fraction)
        ]
        has_others = any(getattr(options, field.name) != field.default for field in others)
        is_other = has_others or options.algorithm not in _ALGORITHMS
        return not is_other and all(float(weight) == weight for weight in weights)

    def count(self, options: Options, numbers: Ints) -> Counts:
        """Return scores and node counts of positions, given by their numbers."""
        if options.traits.plays_out:
            return self._best_of_playouts(options, numbers)
        goes_on = np.zeros(len(numbers), np.bool_)
        return self._search(options, numbers, goes_on, self._leaves(options, numbers))

    def policy(self, options: Options) -> Policy:
        """Return the choices of a search as an AI: it searches the position after each move."""
        positions = self._positions
        sign = 1.0 - 2.0 * (positions.ply[positions.parent] % 2)
        playing = np.flatnonzero(positions.status == Status.PLAYING).astype(np.int32)
        begins = positions.first_move[playing]
        if options.traits.plays_out:
            totals, _ = self._totals(options, playing)
            values = totals / options.playouts
        else:
            searched = positions.status[positions.child] == Status.PLAYING
            before = np.cumsum(searched) - searched
            goes_on = before > before[positions.first_move[positions.parent]]
            leaves = sign * self._values(options)
            scores = self._search(options, positions.child, goes_on, leaves).scores
            values = sign * (
                np.sign(scores) if options.algorithm is Algorithm.NULLWINDOW else scores
            )
        best = np.maximum.reduceat(values, begins)
        moves = np.diff(positions.first_move)[playing]
        return Policy(values == np.repeat(best, moves), values + 0.0)  # -0.0 becomes 0.0.

    def _leaves(self, options: Options, numbers: Ints) -> Floats:
        """Return the scores of positions as leaves, circle's view."""
        positions = self._positions
        if options.evaluation is None:
            return self._results(numbers, shortest_victory=options.shortest_victory)
        evaluate, board = evaluation_of(options.evaluation), new_board(positions.game)
        values = np.zeros(len(numbers))
        for place, number in enumerate(numbers.tolist()):
            board.set_up(positions[number])
            values[place] = float(evaluate(Afterstate(board)))
        values[positions.ply[numbers] % 2 == 0] *= -1  # The player who moved last was cross.
        return values + 0.0

    def _search(
        self, options: Options, roots: Ints, goes_on: NDArray[np.bool_], leaves: Floats
    ) -> Counts:
        graph, memory = self._prepared(options)
        switches = _switches(options, self._positions.game)
        counts = Counts(np.zeros(len(roots)), np.zeros(len(roots), np.int64))

        def search(words: NDArray[np.int64]) -> bool:
            room = memory._replace(words=words)
            return search_all(roots, goes_on, leaves, switches, graph, room, *counts)

        if switches.draws:
            self._with_words(options.seed or 0, search)
        else:
            search(np.zeros(0, np.int64))
        return counts

    def _totals(self, options: Options, roots: Ints) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the sum of the playouts of each move of each root, and the nodes of each root."""
        graph, _ = self._prepared(options)
        moves = np.diff(self._positions.first_move)[roots]
        totals, nodes = np.zeros(moves.sum(), np.int64), np.zeros(len(roots), np.int64)
        self._with_words(
            options.seed or 0,
            lambda words: play_all(roots, options.playouts, graph, words, totals, nodes),
        )
        return totals, nodes

    def _best_of_playouts(self, options: Options, numbers: Ints) -> Counts:
        moves = np.diff(self._positions.first_move)[numbers]
        playing = moves > 0
        totals, nodes = self._totals(options, numbers)
        scores = self._leaves(options, numbers)
        begins = (np.cumsum(moves) - moves)[playing]
        sign = 1 - 2 * (self._positions.ply[numbers[playing]] % 2)
        scores[playing] = sign * np.maximum.reduceat(totals, begins) / options.playouts
        return Counts(scores + 0.0, nodes + 1)

    def _with_words(self, seed: int, work: Callable[[NDArray[np.int64]], bool]) -> None:
        """Do work that draws with the words of a seed, again with more as long as they run out."""
        while seed not in self._words or not work(self._words[seed]):
            words = self._words.get(seed)
            bits = Random(seed).getrandbits  # noqa: S311, chance need not be unguessable
            count = _FEW_WORDS if words is None else 4 * len(words)
            self._words[seed] = np.array([bits(32) for _ in range(count)], np.int64)

    def _prepared(self, options: Options) -> tuple[SearchGraph, Memory]:
        """Return the graph for a search, and room; those of the last search are kept."""
        deepens = options.traits.deepens
        kind = (
            options.ordering, options.order_all, options.seed is None, options.evaluation,
            options.shortest_victory, deepens,
        )  # fmt: skip
        if self._last is None or self._last[0] != kind:
            graph = self._graph(options)
            self._last = kind, graph, new_memory(graph, self._positions.game.cells, deepens=deepens)
        return self._last[1:]

    @cached_property
    def image(self) -> Ints:
        """Number of the image of each position under each symmetry: [S, N]."""
        positions = self._positions
        numbers = [
            self._numbers(images(symmetry, positions.circle), images(symmetry, positions.cross))
            for symmetry in symmetries(positions.game)
        ]
        return np.array(numbers, dtype=np.int32)

    def _numbers(self, circle: Masks, cross: Masks) -> Ints:
        """Return the numbers of positions, given by their masks."""
        positions = self._positions
        _, number = distinct(
            np.concatenate([positions.circle, circle]),
            np.concatenate([positions.cross, cross]),
            positions.game.cells,
        )
        return number[len(positions) :]

    def _graph(self, options: Options) -> SearchGraph:
        """Return the graph for the order and the leaves of a search."""
        positions = self._positions
        order = np.arange(len(positions.move), dtype=np.int32)
        first_candidate, candidate = positions.first_move[:1], np.zeros(0, np.int8)
        if options.ordering is not None:
            choices = self._policy(options.ordering)
            if options.seed is not None:
                first_candidate, candidate = self._candidates(choices)
            elif options.order_all:
                order = self._by_rank(choices)
            else:
                order = self._head_first(choices)
        child = positions.child[order]
        return SearchGraph(
            ply=positions.ply,
            class_=self._class,
            image=self.image if options.traits.deepens else np.zeros((0, 0), np.int32),
            first=positions.first_move,
            child=np.where(positions.status[child] == Status.PLAYING, child, ~child),
            value=self._values(options)[order],
            first_candidate=first_candidate,
            candidate=candidate,
        )

    def _values(self, options: Options) -> Floats:
        """Return the mover's score of each position after a move, as a leaf: [M].

        Without an evaluation it is 0 where the game goes on.
        """
        if options.evaluation is not None:
            ai_score = self._policy(options.evaluation).ai_score
            assert ai_score is not None
            return ai_score
        ply, child = self._positions.ply, self._positions.child
        results = self._results(child, shortest_victory=options.shortest_victory)
        return np.where(ply[child] % 2, results, -results)  # After an odd ply, circle moved.

    def _results(self, numbers: Ints, *, shortest_victory: bool) -> Floats:
        """Return the scores of finished positions by their results, circle's view; 0 for others."""
        positions, game = self._positions, self._positions.game
        plies = range(game.cells + 1)
        sizes = [game.size_of_win(ply) if shortest_victory else 1 for ply in plies]
        scores = np.zeros(len(Status))
        for result in RESULTS:
            scores[result] = result.score
        values: Floats = scores[positions.status[numbers]] * np.array(sizes)[positions.ply[numbers]]
        return values

    def _candidates(self, policy: Policy) -> tuple[Ints, NDArray[np.int8]]:
        """Return where the candidates of each position begin, and their places among its moves."""
        positions = self._positions
        candidates = np.flatnonzero(policy.is_candidate)
        parent = positions.parent[candidates]
        count = np.bincount(parent, minlength=len(positions))
        first = np.concatenate([[0], np.cumsum(count)]).astype(np.int32)
        return first, (candidates - positions.first_move[parent]).astype(np.int8)

    def _by_rank(self, policy: Policy) -> Ints:
        """Sort each position's moves by rank, descending; equal ranks keep their order."""
        rank = policy.is_candidate.astype(np.float64)
        if policy.ai_score is not None:
            rank = policy.ai_score
        return np.lexsort((-rank, self._positions.parent)).astype(np.int32)

    def _head_first(self, policy: Policy) -> Ints:
        """Swap the first candidate of each position with its first move."""
        positions = self._positions
        candidates = np.flatnonzero(policy.is_candidate).astype(np.int32)
        parents, first = np.unique(positions.parent[candidates], return_index=True)
        head, best = positions.first_move[parents], candidates[first]
        order = np.arange(len(positions.move), dtype=np.int32)
        order[head], order[best] = best, head
        return order


def _switches(options: Options, game: Game) -> Switches:
    algorithm = options.algorithm
    least, greatest = score_range(game, shortest_victory=options.shortest_victory)
    bounds = EVERYTHING if options.evaluation is not None else (least, greatest)
    window = bounds if options.init_window else EVERYTHING
    if algorithm is Algorithm.NULLWINDOW:
        window = -0.5, 0.5
    return Switches(
        prunes=options.traits.prunes,
        scouts=options.traits.scouts,
        closes_in=options.traits.closes_in,
        deepens=options.traits.deepens,
        remembers=options.use_table,
        draws=options.ordering is not None and options.seed is not None,
        alpha=float(window[0]),
        beta=float(window[1]),
        least=float(bounds[0]),
        greatest=float(bounds[1]),
        max_depth=game.cells if options.max_depth is None else options.max_depth,
    )
