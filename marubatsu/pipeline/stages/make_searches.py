"""The tables of searches: the cost of each from every class, and the events of some of them.

They are the grid of episode 164 of the tutorial series, and similar searches: every ordering, head
or all, with and without shortest victory, root window and table.
"""

from collections.abc import Iterator
from functools import cache
from itertools import groupby, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Ints
from marubatsu.engine.rules.position import EMPTY, Status, pack
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.layers import Event, EventKind
from marubatsu.engine.search.options import AI_PLAYOUTS, Algorithm, Options
from marubatsu.engine.search.roster import options_of
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.pipeline.stages.make_ais import compiled_searches
from marubatsu.pipeline.stages.stage import BuildContext
from marubatsu.pipeline.tables.schemas import Columns, Labels, Nullable

ORDERINGS = ("ai1s", "ai2s", "ai10s", "ai14s", "perfect")
EVALUATIONS = ("ai2s", "ai10s", "ai11s", "ai14s")
DEPTHS = range(9)
SEEDS = tuple(range(30))

_KINDS = tuple(EventKind)
_NO_YES = (False, True)
_ORDERS: tuple[tuple[str | None, bool], ...] = ((None, False), *product(ORDERINGS, _NO_YES))
_TIES = ("ai2s", "ai10s", "ai14s", "perfect")  # ai1s never has two best moves


class GridSearch(NamedTuple):
    """One search as plain values, which can be sent to another process."""

    algorithm: Algorithm
    ordering: str | None = None
    order_all: bool = False
    shortest_victory: bool = False
    init_window: bool = False
    use_table: bool = False
    max_depth: int | None = None
    evaluation: str | None = None
    seed: int | None = None

    def options(self) -> Options:
        """Return the options of the search."""
        given = self._asdict()
        if self.algorithm is Algorithm.MONTE_CARLO:
            given["playouts"] = AI_PLAYOUTS
        return options_of(**given)


def settings() -> list[GridSearch]:
    """List the searches in the order of their numbers; those that differ by seed are adjacent."""
    return [*_to_the_end(), *_to_a_depth(), *_drawn()]


def _to_the_end() -> Iterator[GridSearch]:
    for victory, table in product(_NO_YES, _NO_YES):
        yield GridSearch(Algorithm.MINIMAX, shortest_victory=victory, use_table=table)
    for algorithm in (Algorithm.ALPHABETA, Algorithm.SCOUT, Algorithm.MTDF):
        for (ordering, order_all), victory, window, table in product(
            _ORDERS, _NO_YES, _NO_YES, _NO_YES
        ):
            yield GridSearch(algorithm, ordering, order_all, victory, window, table)
    for (ordering, order_all), table in product(_ORDERS, _NO_YES):
        yield GridSearch(Algorithm.NULLWINDOW, ordering, order_all, use_table=table)


def _to_a_depth() -> Iterator[GridSearch]:
    for evaluation, table, depth in product(EVALUATIONS, _NO_YES, DEPTHS):
        yield GridSearch(
            Algorithm.DEPTH_LIMITED, use_table=table, max_depth=depth, evaluation=evaluation
        )
    for algorithm in (Algorithm.ITERATIVE_DEEPENING, Algorithm.PVS):
        for evaluation, table in product(EVALUATIONS, _NO_YES):
            yield GridSearch(algorithm, use_table=table, evaluation=evaluation)


def _drawn() -> Iterator[GridSearch]:
    for seed in SEEDS[:5]:
        yield GridSearch(Algorithm.MONTE_CARLO, seed=seed)
    for ordering, victory, window, table in product(_TIES, _NO_YES, _NO_YES, _NO_YES):
        for seed in SEEDS:
            yield GridSearch(
                Algorithm.ALPHABETA, ordering, shortest_victory=victory, init_window=window,
                use_table=table, seed=seed,
            )  # fmt: skip


def traced() -> Iterator[GridSearch]:
    """Yield the searches whose events are kept."""
    for ordering, order_all in ((None, False), ("ai14s", True)):
        for victory, window, table in product(_NO_YES, _NO_YES, _NO_YES):
            yield GridSearch(Algorithm.ALPHABETA, ordering, order_all, victory, window, table)
        for algorithm, table in product((Algorithm.SCOUT, Algorithm.MTDF), _NO_YES):
            yield GridSearch(algorithm, ordering, order_all, use_table=table)
        yield GridSearch(Algorithm.NULLWINDOW, ordering, order_all)
    for depth in (2, 4):
        yield GridSearch(Algorithm.DEPTH_LIMITED, max_depth=depth, evaluation="ai14s")


def make(context: BuildContext) -> Columns:
    """Make one row per search and unfinished class representative."""
    representative = context.classes.representative
    searched = representative[context.positions.status[representative] == Status.PLAYING]
    grid = settings()
    scores = np.zeros((len(grid), len(searched)))
    nodes = np.zeros((len(grid), len(searched)), np.int32)
    groups = _alike(grid)
    tasks = [(context.game, [grid[number] for number in group], searched) for group in groups]
    results = context.in_parallel(run, tasks)
    for group, counts in zip(groups, results, strict=True):
        scores[group], nodes[group] = counts
    rows = np.repeat(np.arange(len(grid), dtype=np.int32), len(searched))

    def column(name: str) -> Any:
        return np.array([getattr(setting, name) for setting in grid])[rows]

    def nullable(name: str) -> Nullable:
        values = [getattr(setting, name) for setting in grid]
        absent = np.array([value is None for value in values])
        return Nullable(np.array([value or 0 for value in values])[rows], absent[rows])

    def labels(name: str) -> Labels:
        values = [getattr(setting, name) for setting in grid]
        texts = tuple(dict.fromkeys(values))
        codes = np.array([texts.index(value) for value in values])
        return Labels(codes[rows], tuple(None if t is None else str(t) for t in texts))

    return {
        "search": rows,
        "algorithm": labels("algorithm"),
        "ordering": labels("ordering"),
        "order_all": column("order_all"),
        "shortest_victory": column("shortest_victory"),
        "init_window": column("init_window"),
        "use_table": column("use_table"),
        "max_depth": nullable("max_depth"),
        "evaluation": labels("evaluation"),
        "seed": nullable("seed"),
        "position": np.tile(searched, len(grid)),
        "score": scores.ravel(),
        "nodes": nodes.ravel(),
    }


def _alike(grid: list[GridSearch]) -> list[list[int]]:
    """Group searches that ask the same AIs, which one process asks once; the largest come first."""
    groups: dict[tuple[str | None, str | None], list[int]] = {}
    for number, setting in enumerate(grid):
        groups.setdefault((setting.ordering, setting.evaluation), []).append(number)
    return sorted(groups.values(), key=len, reverse=True)


class SearchResults(NamedTuple):
    """The results of some searches in the same positions: S searches, P positions."""

    scores: NDArray[np.float64]  # [S, P] circle's view
    nodes: NDArray[np.int32]  # [S, P]


def run(game: Game, grid: list[GridSearch], searched: Ints) -> SearchResults:
    """Run searches in positions, given by their numbers: compiled where that is possible."""
    kernels = compiled_searches(game)
    options = [setting.options() for setting in grid]
    if kernels is None or not all(map(kernels.knows, options)):
        return run_slowly(game, grid, searched)
    counts = [kernels.count(each, searched) for each in options]
    scores = np.array([count.scores for count in counts])
    return SearchResults(scores, np.array([count.nodes for count in counts], dtype=np.int32))


def run_slowly(game: Game, grid: list[GridSearch], searched: Ints) -> SearchResults:
    """Run the same searches by the recursion of `engine.search`."""
    positions = enumerate_positions(game)
    goals = [positions[number] for number in searched.tolist()]
    results = []
    for _, family in groupby(grid, key=lambda setting: setting._replace(seed=None)):
        first, *others = family
        search = Search(first.options(), _graph(game))
        for setting in (first, *others):
            seeded = search.with_seed(setting.seed)
            results.append([seeded.count(position) for position in goals])
    scores = np.array([[float(count.score) for count in row] for row in results])
    nodes = np.array([[count.nodes for count in row] for row in results], dtype=np.int32)
    return SearchResults(scores + 0.0, nodes)  # Adding 0.0 turns -0.0 into 0.0.


@cache
def _graph(game: Game) -> Graph:
    return Graph(new_board(game))


def make_trace(context: BuildContext) -> Columns:
    """Make one row per event of the traced searches from the empty board."""
    numbers = {setting: number for number, setting in enumerate(settings())}
    grid = sorted(traced(), key=numbers.__getitem__)
    results = context.in_parallel(run_traced, [(context.game, setting) for setting in grid])
    positions = context.positions
    cells = positions.game.cells
    keys = pack(positions.circle.astype(np.int64), positions.cross, cells)
    order = np.argsort(keys)
    events = {name: np.concatenate([part[name] for part in results]) for name in results[0]}
    key = pack(events["circle"].astype(np.int64), events["cross"], cells)
    counts = [len(part["kind"]) for part in results]
    return {
        "search": np.repeat(
            np.array([numbers[setting] for setting in grid], dtype=np.int32), counts
        ),
        "event": np.concatenate([np.arange(count, dtype=np.int32) for count in counts]),
        "kind": Labels(events["kind"], _KINDS),
        "line": events["line"],
        "position": order[np.searchsorted(keys, key, sorter=order)],
        **{name: Nullable(events[name], ~np.isfinite(events[name])) for name in
           ("alpha", "beta", "score")},
        "skipped": events["skipped"],
    }  # fmt: skip


def run_traced(game: Game, setting: GridSearch) -> dict[str, NDArray[Any]]:
    """Run a search from the empty board; return its events as columns, NaN without a score."""
    events: list[Event] = []
    Search(setting.options(), _graph(game)).count(EMPTY, trace=events.append)
    return {
        "kind": np.array([_KINDS.index(event.kind) for event in events], dtype=np.int8),
        "line": np.array([_digits(event.variation) for event in events], dtype=np.int32),
        "circle": np.array([event.position.circle for event in events], dtype=np.int32),
        "cross": np.array([event.position.cross for event in events], dtype=np.int32),
        "alpha": np.array([event.alpha for event in events], dtype=np.float32) + np.float32(0),
        "beta": np.array([event.beta for event in events], dtype=np.float32) + np.float32(0),
        "score": np.array(
            [np.nan if event.score is None else event.score for event in events], dtype=np.float32
        ) + np.float32(0),
        "skipped": np.array([event.skipped for event in events], dtype=np.int8),
    }  # fmt: skip


def _digits(variation: tuple[int, ...]) -> int:
    number = 0
    for move in variation:
        number = number * 10 + move + 1
    return number
