"""The nodes of a search next to others: with each of our orderings, or after each move."""

from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.boards.kinds import new_board
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.layers import Stopped
from marubatsu.engine.search.options import DEEPENING, Algorithm, Options, SearchError, plain
from marubatsu.engine.search.roster import all_ais, options_of
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import classify, enumerate_positions
from marubatsu.pipeline.laboratory.run_search import run_search, time_is_up
from marubatsu.pipeline.support.progress import Advance

COLUMNS = ("ordering", "score", "nodes", "best_moves", "principal_variation")
COLUMNS_OF_MOVES = ("move", "score", "nodes", "table_size", "seconds", "principal_variation")
COLUMNS_OF_CLASSES = ("ordering", "critical_classes", "nodes", "nodes_a_class")
_UNORDERED = {Algorithm.MINIMAX, Algorithm.MONTE_CARLO}


def compare_orderings(
    game: Game,
    position: Position,
    algorithm: Algorithm,
    *,
    ordering: AI | None,
    evaluation: AI | None,
    trace: Path | None,
    seconds: float | None,
    progress: Advance,
    **options: Any,
) -> list[list[Any]]:
    """Search a position; return a row for this search, then one for each of our orderings.

    A search with techniques that only bitboards have is returned alone. ``seconds`` limit each
    search; one of our orderings that needs more has no score and no nodes. Scores are circle's
    view. ``trace`` is a file for the events of this search. The best moves do not depend on the
    ordering. Raises SearchError for options that make no sense, and what `run_search` raises.
    """
    graph = Graph(new_board(game))
    search_options = options_of(algorithm, ordering=ordering, evaluation=evaluation, **options)
    result = run_search(graph, position, search_options, trace, progress, seconds)
    moves = [list(result.best_moves), list(result.principal_variation)]
    rows = [[_name(ordering), result.score, result.nodes, *moves]]
    others = _with_our_orderings(search_options)
    for number, same in enumerate(others):
        name = _name(same.ordering)
        progress(number / len(others), f"ordered by {name}")
        stop = None if seconds is None else time_is_up(seconds)
        try:
            count = Search(same, graph).count(position, stop=stop)
        except Stopped:
            rows.append([name, None, None, *moves])
        else:
            rows.append([name, plain(count.score), count.nodes, *moves])
    return rows


def search_each_move(
    game: Game,
    position: Position,
    options: Options,
    seconds: float | None,
    progress: Advance,
    *,
    share_table: bool,
) -> list[list[Any]]:
    """Search the position after each legal move; return a row for each, see COLUMNS_OF_MOVES.

    Scores are circle's view; a depth limit counts from the position after the move. ``seconds``
    limit each search. With ``share_table`` a search takes the table of the one before it. Raises
    what `run_search` raises, and SearchError where there is no such table.
    """
    if share_table and (options.is_by_bits or not options.use_table):
        raise SearchError("a shared table needs use_table, without techniques of bitboards")
    if share_table and options.algorithm in DEEPENING:
        raise SearchError(f"{options.algorithm} begins a table at each depth: it cannot be shared")
    graph, moves, rows = Graph(new_board(game)), game.legal_moves(position), []
    shared = Search(options, graph) if share_table else None
    for number, move in enumerate(moves):
        progress(number / len(moves), f"move {move}")
        start = monotonic()
        after = position.after(move)
        result = run_search(graph, after, options, seconds=seconds, shared=shared)
        took = round(monotonic() - start, 3)
        variation = [move, *result.principal_variation]
        rows.append([move, result.score, result.nodes, result.table_size, took, variation])
    return rows


def sum_over_classes(
    game: Game,
    algorithm: Algorithm,
    *,
    ordering: AI | None,
    evaluation: AI | None,
    progress: Advance,
    **options: Any,
) -> list[list[Any]]:
    """Search the first position of each critical class; return the sums of nodes.

    There is a row for this search, then one for each of our orderings; see COLUMNS_OF_CLASSES.
    Raises SearchError for options that make no sense, and for a search that only bitboards have;
    TooLargeError for a game whose positions do not fit in memory.
    """
    search_options = options_of(algorithm, ordering=ordering, evaluation=evaluation, **options)
    positions = enumerate_positions(game)
    first = classify(positions).representative
    roots = [
        positions[number] for number in first[score_positions(positions).critical[first]].tolist()
    ]
    graph = Graph(new_board(game))
    rows = []
    searches = [search_options, *_with_our_orderings(search_options)]
    for number, each in enumerate(searches):
        name = _name(each.ordering)
        progress(number / len(searches), f"ordered by {name}")
        search = Search(each, graph)
        nodes = sum(search.count(position).nodes for position in roots)
        rows.append([name, len(roots), nodes, round(nodes / len(roots), 2) if roots else None])
    return rows


def _with_our_orderings(options: Options) -> list[Options]:
    """Return the same search with ascending order and with each other of our orderings."""
    if options.is_by_bits or options.algorithm in _UNORDERED:
        return []
    others = [ai for ai in (None, *all_ais()) if ai is None or ai.evaluate]
    return [
        replace(
            options,
            ordering=orders,
            order_all=options.order_all and orders is not None,
            seed=None if orders is None else options.seed,
        )
        for orders in others
        if orders != options.ordering
    ]


def _name(ordering: AI | None) -> str:
    return "none" if ordering is None else ordering.name
