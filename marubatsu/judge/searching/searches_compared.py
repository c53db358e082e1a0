"""One search beside the same search with each of our orderings."""

from pathlib import Path
from typing import Any

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import Algorithm, plain
from marubatsu.engine.search.roster import all_ais, options_of
from marubatsu.judge.searching.traced_search import run
from marubatsu.pipeline.support.progress import Advance

COLUMNS = ("ordering", "score", "nodes", "best_moves", "principal_variation")

_UNORDERED = {Algorithm.MINIMAX, Algorithm.MONTE_CARLO}


def compared(
    game: Game,
    position: Position,
    algorithm: Algorithm,
    *,
    ordering: AI | None,
    evaluation: AI | None,
    trace: Path | None,
    progress: Advance,
    **options: Any,
) -> list[list[Any]]:
    """Search a position; return a row for this search, then one for each of our orderings.

    A search with techniques that only bitboards know has no others beside it. Scores are circle's
    view. ``trace`` is a file for the events of this search. The best moves do not depend on the
    ordering. Raises SearchError for options that make no sense, and what `run` raises.
    """
    graph = Graph(new_board(game))
    chosen = options_of(algorithm, ordering=ordering, evaluation=evaluation, **options)
    found = run(graph, position, chosen, trace, progress)
    moves = [list(found.best_moves), list(found.principal_variation)]
    rows = [[_name(ordering), found.score, found.nodes, *moves]]
    others = [ai for ai in (None, *all_ais()) if ai is None or ai.evaluate]
    if chosen.is_by_bits or algorithm in _UNORDERED:
        others = []
    others = [ai for ai in others if ai != ordering]
    for number, orders in enumerate(others):
        progress(number / len(others), f"ordered by {_name(orders)}")
        changed = {**options, "order_all": chosen.order_all and orders is not None}
        if orders is None:
            changed["seed"] = None
        same = options_of(algorithm, ordering=orders, evaluation=evaluation, **changed)
        count = Search(same, graph).count(position)
        rows.append([_name(orders), plain(count.score), count.nodes, *moves])
    return rows


def _name(ordering: AI | None) -> str:
    return "none" if ordering is None else ordering.name
