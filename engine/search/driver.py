"""A search with its options, ready to be run on any number of positions of a game."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from math import inf
from random import Random
from typing import NamedTuple, Self

from marubatsu.engine.ais.ai import Value
from marubatsu.engine.ais.by_evaluation import evaluation_of
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.rules.game import Game, Status
from marubatsu.engine.search.graph import Edge, Graph
from marubatsu.engine.search.negamax import Kernel, Table
from marubatsu.engine.search.options import (
    DEEPENING,
    EVERYTHING,
    Algorithm,
    Options,
    Result,
    Stop,
    score_range,
)
from marubatsu.engine.search.playouts import values_of_moves
from marubatsu.engine.search.run import Run, Stopped, remembered
from marubatsu.engine.search.successors import (
    Branches,
    DrawnBranches,
    FixedBranches,
    FixedVariants,
    LeafValue,
    LedBranches,
    Order,
    ascending,
    by_head,
    by_value,
    evaluated_values,
    result_values,
)
from marubatsu.engine.search.trace import Trace


class Count(NamedTuple):
    """A score in circle's view, and the nodes that it cost to find it."""

    score: Value
    nodes: int


def search(
    game: Game,
    circle: int,
    cross: int,
    options: Options,
    *,
    trace: Trace | None = None,
    stop: Stop | None = None,
) -> Result:
    """Search one position.

    ``trace`` hears every event. ``stop`` is asked between the nodes of iterative deepening whether
    time is up: then the last finished depth answers.

    >>> search(Game(3, 3, 3), 0, 0, Options()).nodes
    18297
    """
    return Search(options, Graph(new_board(game))).result(circle, cross, trace=trace, stop=stop)


class Search:
    """One search, prepared for many positions: what can be worked out once is."""

    def __init__(self, options: Options, graph: Graph) -> None:
        """Prepare; searches over one ``graph`` share what it knows of the positions."""
        self.options = options
        self._graph, self._game = graph, graph.game
        self._choices = graph.choices(options.ordering) if options.ordering else None
        self._evaluate = evaluation_of(options.evaluation) if options.evaluation else None
        self._runs: dict[int, Run] = {}  # by horizon
        self._branches: dict[int, FixedBranches] = {}
        self._variants: dict[int, FixedVariants] = {}
        least, greatest = score_range(graph.game, shortest_victory=options.shortest_victory)
        self._range: tuple[Value, Value] = EVERYTHING if self._evaluate else (least, greatest)
        self._table: Table | None = None

    def with_seed(self, seed: int | None) -> Self:
        """Return the same search with another seed; they share what does not depend on it."""
        other = copy(self)
        other.options = replace(self.options, seed=seed)
        other._runs, other._table = {}, None  # noqa: SLF001, a copy of itself
        return other

    @property
    def table_size(self) -> int:
        """Boards in the table after the last search, all images counted."""
        return self._table.size if self._table else 0

    def count(
        self,
        circle: int,
        cross: int,
        *,
        trace: Trace | None = None,
        stop: Stop | None = None,
    ) -> Count:
        """Return the score of a position and the nodes that it costs to find it."""
        return self._count(self._graph.number(circle, cross), trace=trace, stop=stop)

    def _count(
        self,
        node: int,
        came_from: Edge | None = None,
        *,
        go_on: bool = False,
        trace: Trace | None = None,
        stop: Stop | None = None,
    ) -> Count:
        """Search a position.

        ``came_from``, the position before it and the last move, matters only where the position
        itself is evaluated. ``go_on`` keeps the table, and the random numbers, where the last
        search left them.
        """
        graph, options = self._graph, self.options
        if graph.status[node] is not Status.PLAYING or options.max_depth == 0:
            return Count(self._leaf(node, came_from), 1)
        algorithm = options.algorithm
        if algorithm is Algorithm.MONTE_CARLO:
            values, nodes = self._playouts(node)
            return Count(self._sign(node) * max(values), 1 + nodes)
        if algorithm in DEEPENING:
            return self._deepen(node, came_from, trace, stop)
        horizon = self._horizon(node)
        run = self._run(horizon) if trace is None else self._new_run(horizon, trace)
        if not go_on:
            run.start_again()
        self._table = run.table
        before = run.nodes
        score = self._windowed(node, run)
        return Count(score, run.nodes - before)

    def result(
        self,
        circle: int,
        cross: int,
        *,
        trace: Trace | None = None,
        stop: Stop | None = None,
    ) -> Result:
        """Search a position, then follow the best moves: those nodes are not counted."""
        found = self.count(circle, cross, trace=trace, stop=stop)
        node = self._graph.number(circle, cross)
        if self.options.algorithm is Algorithm.MONTE_CARLO:
            best, line = self._best_by_playouts(node)
        else:
            best, line = self._follow(node)
        return Result(_plain(found.score), found.nodes, best, line, self.table_size)

    def values(self, circle: int, cross: int) -> list[Value]:
        """Return the score of each legal move, mover's view: what an AI that searches goes by.

        Every child is searched, with one table for all, so a limit of depth counts from there.
        """
        node = self._graph.number(circle, cross)
        if self.options.algorithm is Algorithm.MONTE_CARLO:
            return list(self._playouts(node)[0]) if self._graph.edges(node) else []
        sign = self._sign(node)
        return [
            sign * self._score(child, (node, move), go_on=number > 0)
            for number, (move, child) in enumerate(self._graph.edges(node))
        ]

    def _score(self, node: int, came_from: Edge, *, go_on: bool) -> Value:
        score = self._count(node, came_from, go_on=go_on).score
        if self.options.algorithm is Algorithm.NULLWINDOW:
            return (score > 0) - (score < 0)
        return score

    def _sign(self, node: int) -> int:
        """Return +1 when circle is to move, else -1: between the mover's view and circle's."""
        return -1 if self._graph.ply[node] % 2 else 1

    def _horizon(self, node: int) -> int:
        """Return how many marks the board holds where a search from a position ends."""
        depth = self.options.max_depth
        if depth is None:
            return self._game.cells
        return min(self._game.cells, self._graph.ply[node] + depth)

    def _leaf(self, node: int, came_from: Edge | None) -> Value:
        """Value a position that is not searched, in circle's view."""
        if self._evaluate:
            before, move = came_from or (node, None)
            return -self._sign(node) * self._graph.evaluate(before, move, self._evaluate) + 0
        value = self._leaf_value(self._game.cells)(-1, -1, node)
        assert value is not None
        return -self._sign(node) * value

    def _leaf_value(self, horizon: int) -> LeafValue:
        if self._evaluate:
            return evaluated_values(self._graph, self._evaluate, horizon)
        return result_values(self._graph, shortest_victory=self.options.shortest_victory)

    def _order(self) -> Order:
        if self._choices is None:
            return ascending
        if self.options.order_all:
            return by_value(self._choices)
        return by_head(lambda node: self._candidates(node)[0])

    def _candidates(self, node: int) -> Sequence[int]:
        assert self._choices is not None
        return self._choices[node].candidates

    def _run(self, horizon: int) -> Run:
        if horizon not in self._runs:
            self._runs[horizon] = self._new_run(horizon)
        return self._runs[horizon]

    def _new_run(self, horizon: int, trace: Trace | None = None) -> Run:
        seed = self.options.seed
        branches: Branches = (
            self._fixed_branches(horizon)
            if seed is None
            else DrawnBranches(self._fixed_variants(horizon), seed)
        )
        return Run(self._graph, branches, self.options, self._new_table(), trace)

    def _fixed_branches(self, horizon: int) -> FixedBranches:
        if horizon not in self._branches:
            self._branches[horizon] = FixedBranches(
                self._graph, self._order(), self._leaf_value(horizon)
            )
        return self._branches[horizon]

    def _fixed_variants(self, horizon: int) -> FixedVariants:
        if horizon not in self._variants:
            self._variants[horizon] = FixedVariants(
                self._graph, self._candidates, self._leaf_value(horizon)
            )
        return self._variants[horizon]

    def _new_table(self) -> Table | None:
        return Table(self._graph, *self._range) if self.options.use_table else None

    def _windowed(self, node: int, run: Run) -> Value:
        """Enter the searches that have a window."""
        if self.options.algorithm is Algorithm.MTDF:
            return self._close_in(node, run)
        if self.options.algorithm is Algorithm.NULLWINDOW:
            return run.score(node, -0.5, 0.5)
        window = self._range if self.options.init_window else EVERYTHING
        return run.score(node, *window)

    def _close_in(self, node: int, run: Run) -> Value:
        """MTD(f): ask with null windows around the last answer until the bounds meet."""
        lower, upper = self._range if self.options.init_window else EVERYTHING
        score: Value = 0
        while lower != upper:
            beta = score + 1 if lower == score else score
            score = run.score(node, beta - 1, beta)
            if score >= beta:
                lower = score
            else:
                upper = score
        return score

    def _deepen(
        self, node: int, came_from: Edge | None, trace: Trace | None, stop: Stop | None
    ) -> Count:
        """Search 0, 1, 2 … plies deep, each time the best move of the time before first."""
        graph = self._graph
        found = Count(self._leaf(node, came_from), 1)
        best: dict[int, int] = {}
        self._table = None
        for horizon in range(graph.ply[node] + 1, self._horizon(node) + 1):
            branches: Branches = self._fixed_branches(horizon)
            if best:
                branches = LedBranches(branches, remembered(graph, best))
            table, best = self._new_table(), {}
            run = Run(graph, branches, self.options, table, trace, stop, best)
            try:
                score = run.score(node, *EVERYTHING)
            except Stopped:
                return found
            found, self._table = Count(score, found.nodes + run.nodes), table
        return found

    def _playouts(self, node: int) -> tuple[Sequence[Value], int]:
        values = self._leaf_value(self._game.cells)
        random = Random(self.options.seed or 0)  # noqa: S311, chance need not be unguessable
        return values_of_moves(self._graph, node, self.options.playouts, random, values)

    def _best_by_playouts(self, node: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        if not self._graph.edges(node):
            return (), ()
        values, _ = self._playouts(node)
        moves = [move for move, _ in self._graph.edges(node)]
        best = tuple(m for m, v in zip(moves, values, strict=True) if v == max(values))
        return best, best[:1]

    def _follow(self, node: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the best moves of a position, and a line of best moves from there."""
        graph = self._graph
        horizon = self._horizon(node)
        leaf_value = self._leaf_value(horizon)
        # An evaluation need not be the same for all images of a position; results are.
        table = Table(graph, *EVERYTHING, up_to_symmetry=self._evaluate is None)
        branches = FixedBranches(graph, ascending, leaf_value)
        exact = Kernel(branches, layers=(table.layer,))
        best: tuple[int, ...] = ()
        line: list[int] = []
        leaf = graph.ply[node] >= horizon or not graph.edges(node)
        while not leaf:
            values = {}
            for move, child in graph.edges(node):
                value = leaf_value(node, move, child)
                values[move] = -exact.enter(child, -inf, inf) if value is None else value
            good = tuple(move for move, value in values.items() if value == max(values.values()))
            best = best or good
            line.append(good[0])
            before, node = node, dict(graph.edges(node))[good[0]]
            leaf = leaf_value(before, good[0], node) is not None
        return best, tuple(line)


def _plain(score: Value) -> float:
    return int(score) if score == int(score) else float(score)
