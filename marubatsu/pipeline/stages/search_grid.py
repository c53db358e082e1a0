"""The searches of table ``searches``, and those of them that ``search_trace`` follows.

The grid of episode 164 of the tutorial series, and similar searches: every ordering, head or all,
with and without shortest victory, root window and table.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from marubatsu.engine.search.options import Algorithm, Options
from marubatsu.engine.search.roster import options_of

ORDERINGS = ("ai1s", "ai2s", "ai10s", "ai14s", "perfect")
EVALUATIONS = ("ai2s", "ai10s", "ai11s", "ai14s")
DEPTHS = range(9)
SEEDS = tuple(range(30))
PLAYOUTS = 30

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
            given["playouts"] = PLAYOUTS
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


def traced() -> list[GridSearch]:
    """List the searches whose events are kept."""
    listed = []
    for ordering, order_all in ((None, False), ("ai14s", True)):
        for victory, window, table in product(_NO_YES, _NO_YES, _NO_YES):
            listed.append(
                GridSearch(Algorithm.ALPHABETA, ordering, order_all, victory, window, table)
            )
        for algorithm, table in product((Algorithm.SCOUT, Algorithm.MTDF), _NO_YES):
            listed.append(GridSearch(algorithm, ordering, order_all, use_table=table))
        listed.append(GridSearch(Algorithm.NULLWINDOW, ordering, order_all))
    return listed + [
        GridSearch(Algorithm.DEPTH_LIMITED, max_depth=depth, evaluation="ai14s") for depth in (2, 4)
    ]
