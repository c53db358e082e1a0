"""A search with its options, ready to be run on any number of positions of a game."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from math import inf
from random import Random
from typing import NamedTuple, Self, TypeAlias, assert_never

from marubatsu.engine.ais.ai import Number, evaluation_of
from marubatsu.engine.ais.by_function import FAMILY
from marubatsu.engine.rules.position import Position, Status
from marubatsu.engine.search.graph import (
    CachedSuccessors,
    DrawnSuccessors,
    Graph,
    LeafScore,
    Order,
    Successors,
    ascending,
    by_ai_score,
    evaluated_scores,
    fixed_successors,
    preferred_successors,
    result_scores,
    swapped_to_head,
)
from marubatsu.engine.search.layers import (
    Run,
    Stopped,
    Trace,
    TranspositionTable,
    remembered,
    stopping_layer,
    trace_leaf,
)
from marubatsu.engine.search.negamax import negamax
from marubatsu.engine.search.options import (
    EVERYTHING,
    Algorithm,
    Options,
    Result,
    SearchError,
    Stop,
    plain,
    score_range,
)

LastMove: TypeAlias = tuple[int, int]
"""How play reached a position: the number of the position before it, and the move there."""


Line: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The best moves of a position, and the principal variation from there."""


class Count(NamedTuple):
    """A score in circle's view, and the number of nodes visited to find it."""

    score: Number
    nodes: int


class _Found(NamedTuple):
    """The count of a search, and its line where the search itself found one."""

    counted: Count
    line: Line | None = None


class Search:
    """One search, prepared for many positions, which share its precomputed data."""

    def __init__(self, options: Options, graph: Graph, *, goes_on: bool = False) -> None:
        """Prepare a search; searches over one ``graph`` share its data about positions.

        A search that ``goes_on`` keeps its table and its random numbers from one position to the
        next, unless that is searched to another ply.

        Raises SearchError for a search that only `engine.kernels` runs.
        """
        if options.needs_bitboards:
            raise SearchError(f"{options.algorithm} with such options runs on bitboards only")
        self.options, self._goes_on = options, goes_on
        self._graph, self._game = graph, graph.game
        self._choices = graph.choices(options.ordering) if options.ordering else None
        self._evaluate = evaluation_of(options.evaluation) if options.evaluation else None
        self._runs: dict[int, Run] = {}  # by horizon, without trace and stop
        self._last: tuple[int, Run] | None = None  # the last one, with its horizon
        self._successors: dict[tuple[int, bool], CachedSuccessors] = {}  # by horizon, and if drawn
        self._range: tuple[Number, Number] = EVERYTHING
        if self._evaluate is None:
            self._range = score_range(graph.game, shortest_victory=options.shortest_victory)
        self._table: TranspositionTable | None = None

    def with_seed(self, seed: int | None) -> Self:
        """Return the same search with another seed; both share data that does not depend on it."""
        other = copy(self)
        other.options = replace(self.options, seed=seed)
        other._runs, other._last, other._table = {}, None, None  # noqa: SLF001, a copy of itself
        return other

    @property
    def table_size(self) -> int:
        """Number of boards in the table after the last search, with all images that it serves."""
        return self._table.size if self._table else 0

    def count(
        self, position: Position, *, trace: Trace | None = None, stop: Stop | None = None
    ) -> Count:
        """Return the score of a position and the number of nodes visited to find it."""
        number = self._graph.number(position)
        return self._find(number, goes_on=self._goes_on, trace=trace, stop=stop).counted

    def _find(
        self,
        number: int,
        last_move: LastMove | None = None,
        *,
        goes_on: bool,
        trace: Trace | None = None,
        stop: Stop | None = None,
    ) -> _Found:
        """Search a position.

        Only an evaluation of the position itself uses ``last_move``.
        """
        if self._graph.status[number] is not Status.PLAYING or self.options.max_depth == 0:
            return _Found(self._unsearched(number, last_move, trace))
        if self.options.traits.plays_out:
            return self._play_out(number, trace, stop)
        if self.options.traits.deepens:
            return self._deepen(number, last_move, trace, stop)
        run = self._run_to(self._horizon(number), trace, stop, goes_on=goes_on)
        before = run.nodes
        score = self._windowed(number, run)
        return _Found(Count(score, run.nodes - before))

    def result(
        self, position: Position, *, trace: Trace | None = None, stop: Stop | None = None
    ) -> Result:
        """Search a position as `count` does, then follow the best moves without counting those.

        When ``stop`` returns True, a search that deepens has the result of its last finished depth,
        with the moves that it found there. Any other one raises Stopped.
        """
        number = self._graph.number(position)
        count, line = self._find(number, goes_on=self._goes_on, trace=trace, stop=stop)
        best, variation = line or self._follow(number, stop)
        return Result(plain(count.score), count.nodes, best, variation, self.table_size)

    def scores_mover(self, position: Position) -> list[Number]:
        """Return the score of each legal move, mover's view, for an AI that searches.

        The search starts at every child, with one table for all; a depth limit counts from there.
        """
        number = self._graph.number(position)
        if self.options.traits.plays_out:
            return list(self._playouts(number, None)[0]) if self._graph.edges(number) else []
        sign, goes_on = self._sign(number), False
        scores: list[Number] = []
        for move, child in self._graph.edges(number):
            score = self._find(child, (number, move), goes_on=goes_on).counted.score
            if self.options.algorithm is Algorithm.NULLWINDOW:
                score = (score > 0) - (score < 0)
            scores.append(sign * score)
            goes_on = goes_on or self._graph.status[child] is Status.PLAYING
        return scores

    def _sign(self, number: int) -> int:
        """Return +1 when circle is to move, else -1: from the mover's view to circle's."""
        return -1 if self._graph.ply[number] % 2 else 1

    def _horizon(self, number: int) -> int:
        """Return the ply at which a search from a position ends."""
        depth = self.options.max_depth
        if depth is None:
            return self._game.cells
        return min(self._game.cells, self._graph.ply[number] + depth)

    def _unsearched(self, number: int, last_move: LastMove | None, trace: Trace | None) -> Count:
        """Enter a position as a leaf."""
        before, move = last_move or (number, None)
        value = self._leaf_score(self._graph.ply[number])(before, move, number)
        assert value is not None
        score = -self._sign(number) * value + 0  # -0.0 becomes 0.0.
        if trace is not None:
            trace_leaf(self._graph.position(number), score, trace)
        return Count(score, 1)

    def _leaf_score(self, horizon: int) -> LeafScore:
        if self._evaluate:
            return evaluated_scores(self._graph, self._evaluate, horizon)
        return result_scores(self._graph, shortest_victory=self.options.shortest_victory)

    def _order(self) -> Order:
        choices = self._choices
        if choices is None or self.options.seed is not None:
            return ascending
        if self.options.order_all:
            return by_ai_score(choices)
        return lambda number, edges: swapped_to_head(edges, choices[number].candidates[0])

    def _run_to(
        self, horizon: int, trace: Trace | None, stop: Stop | None, *, goes_on: bool
    ) -> Run:
        """Return a run to a horizon that goes on with what the last one has, or starts empty."""
        last = self._last[1] if goes_on and self._last and self._last[0] == horizon else None
        is_plain = trace is None and stop is None
        run = self._runs.get(horizon) if is_plain else None
        if run is None or last not in (None, run):
            successors = last.successors if last else self._successors_to(horizon)
            table = last.table if last else self._new_table()
            run = Run(self._graph, successors, self.options, table, trace, stop)
        if is_plain:
            self._runs[horizon] = run
        if last is None:
            run.start_again()
        self._last, self._table = (horizon, run), run.table
        return run

    def _successors_to(self, horizon: int) -> Successors:
        seed = self.options.seed
        key = horizon, seed is not None
        if key not in self._successors:
            self._successors[key] = fixed_successors(
                self._graph, self._order(), self._leaf_score(horizon)
            )
        if seed is None:
            return self._successors[key]
        assert self._choices is not None
        return DrawnSuccessors(self._graph, self._successors[key], self._choices, seed)

    def _new_table(self) -> TranspositionTable | None:
        if not self.options.use_table:
            return None
        evaluation = self.options.evaluation
        # A user's evaluation may differ between images; those of ours share entries, as published.
        shared = evaluation is None or evaluation.family != FAMILY
        return TranspositionTable(self._graph, *self._range, up_to_symmetry=shared)

    def _windowed(self, number: int, run: Run) -> Number:
        match self.options.algorithm:
            case Algorithm.MTDF:
                return self._close_in(number, run)
            case Algorithm.NULLWINDOW:
                return run.score(number, -0.5, 0.5)
            case (
                Algorithm.MINIMAX | Algorithm.ALPHABETA | Algorithm.SCOUT | Algorithm.DEPTH_LIMITED
            ):
                window = self._range if self.options.init_window else EVERYTHING
                return run.score(number, *window)
            case (
                Algorithm.ITERATIVE_DEEPENING | Algorithm.PVS | Algorithm.MONTE_CARLO
                | Algorithm.SSS | Algorithm.DUAL | Algorithm.PROOF_NUMBER | Algorithm.DF_PN
                | Algorithm.UCT
            ):  # fmt: skip
                raise AssertionError(f"{self.options.algorithm} is not run here")
            case _:
                assert_never(self.options.algorithm)

    def _close_in(self, number: int, run: Run) -> Number:
        """Run MTD(f): search null windows around the last score until the bounds meet."""
        lower, upper = self._range if self.options.init_window else EVERYTHING
        score: Number = 0
        while lower != upper:
            beta = score + 1 if lower == score else score
            score = run.score(number, beta - 1, beta)
            if score >= beta:
                lower = score
            else:
                upper = score
        return score

    def _deepen(
        self, number: int, last_move: LastMove | None, trace: Trace | None, stop: Stop | None
    ) -> _Found:
        """Search 0, 1, 2 … plies deep; each depth tries the best move of the previous one first."""
        graph = self._graph
        count = self._unsearched(number, last_move, trace)
        best: dict[int, int] = {}
        self._table = None
        for horizon in range(graph.ply[number] + 1, self._horizon(number) + 1):
            successors = self._successors_to(horizon)
            if best:
                successors = preferred_successors(successors, remembered(graph, best))
            table = self._new_table()
            run = Run(graph, successors, self.options, table, trace, stop, remembers=True)
            try:
                score = run.score(number, *EVERYTHING)
            except Stopped:
                return _Found(count, self._line(number, best))
            count, self._table = Count(score, count.nodes + run.nodes), table
            best = run.best
        return _Found(count)

    def _line(self, number: int, best: dict[int, int]) -> Line:
        """Return the first move from a position, and all, by the best child of each position."""
        line = []
        while number in best:
            line.append(next(m for m, child in self._graph.edges(number) if child == best[number]))
            number = best[number]
        return tuple(line[:1]), tuple(line)

    def _play_out(self, number: int, trace: Trace | None, stop: Stop | None) -> _Found:
        """Compare the moves of a position by random games."""
        if trace is not None:
            raise SearchError(
                f"{self.options.algorithm} has no window, and so no trace: leave out trace"
            )
        means, nodes = self._playouts(number, stop)
        moves = [move for move, _ in self._graph.edges(number)]
        best = tuple(m for m, mean in zip(moves, means, strict=True) if mean == max(means))
        return _Found(Count(self._sign(number) * max(means), 1 + nodes), (best, best[:1]))

    def _playouts(self, number: int, stop: Stop | None) -> tuple[Sequence[Number], int]:
        """Return the mean result of each legal move, mover's view, and the nodes entered."""
        graph, playouts = self._graph, self.options.playouts
        leaf_score = self._leaf_score(self._game.cells)
        random = Random(self.options.seed or 0)  # noqa: S311, chance need not be unguessable
        means, nodes = [], 0
        for first in graph.edges(number):
            total = 0
            for _ in range(playouts):
                if stop is not None and stop():
                    raise Stopped
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

    def _follow(self, number: int, stop: Stop | None) -> Line:
        """Return the best moves of a position, and the principal variation from there."""
        graph = self._graph
        horizon = self._horizon(number)
        leaf_score = self._leaf_score(horizon)
        # Results are equal for all images of a position; evaluations may differ.
        table = TranspositionTable(graph, *EVERYTHING, up_to_symmetry=self._evaluate is None)
        successors = fixed_successors(graph, ascending, leaf_score)
        stopping = () if stop is None else (stopping_layer(stop),)
        enter, _ = negamax(successors, layers=(table.layer, *stopping))
        best: tuple[int, ...] = ()
        variation: list[int] = []
        leaf = graph.ply[number] >= horizon or not graph.edges(number)
        while not leaf:
            values = {}
            for move, child in graph.edges(number):
                value = leaf_score(number, move, child)
                values[move] = -enter(child, -inf, inf) if value is None else value
            good = tuple(move for move, value in values.items() if value == max(values.values()))
            best = best or good
            variation.append(good[0])
            before, number = number, dict(graph.edges(number))[good[0]]
            leaf = leaf_score(before, good[0], number) is not None
        return best, tuple(variation)
