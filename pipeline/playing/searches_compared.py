"""One search beside the same search with each of our orderings."""

from collections.abc import Callable
from typing import Any

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.players.by_search import options_of, require_within_reach
from marubatsu.engine.players.roster import all_ais
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import Algorithm, Result

COLUMNS = ("ordering", "score", "nodes", "best_moves", "principal_variation")

_UNORDERED = {Algorithm.MINIMAX, Algorithm.MONTE_CARLO}


def compared(
    game: Game,
    position: Position,
    algorithm: Algorithm,
    *,
    ordering: AI | None,
    evaluation: AI | None,
    progress: Callable[[float], None],
    **options: Any,
) -> list[list[Any]]:
    """Search a position; return a row for this search, then one for each of our orderings.

    A search with techniques that only bitboards know has no others beside it. Scores
    are circle's view. Raises SearchError for options that make no sense, TooLargeError for a search
    to the end of a game that is too large.
    """
    chosen = options_of(algorithm, ordering=ordering, evaluation=evaluation, **options)
    if chosen.is_by_bits:
        from marubatsu.engine.techniques.any_search import search_by_bits

        return [_row(ordering, search_by_bits(game, position, chosen))]
    if chosen.max_depth is None and algorithm is not Algorithm.MONTE_CARLO:
        require_within_reach(game, algorithm)
    others = [ai for ai in (None, *all_ais()) if ai is None or ai.evaluate]
    if algorithm in _UNORDERED or (options["order_all"] and ordering is None):
        others = []
    graph = Graph(new_board(game))
    rows = []
    orderings = [ordering, *(ai for ai in others if ai != ordering)]
    for number, orders in enumerate(orderings):
        progress(number / len(orderings))
        changed = {**options, "order_all": options["order_all"] and orders is not None}
        if orders is None:
            changed["seed"] = None if algorithm is not Algorithm.MONTE_CARLO else options["seed"]
        found = Search(
            options_of(algorithm, ordering=orders, evaluation=evaluation, **changed), graph
        ).result(position)
        rows.append(_row(orders, found))
    return rows


def _row(ordering: AI | None, found: Result) -> list[Any]:
    return [
        "none" if ordering is None else ordering.name,
        found.score,
        found.nodes,
        list(found.best_moves),
        list(found.principal_variation),
    ]
