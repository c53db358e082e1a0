"""One search, with a trace if wanted; and its nodes next to those of others."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.rules.bounds import MAX_POSITIONS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.layers import Stopped, Trace
from marubatsu.engine.search.options import Algorithm, Options, Result, SearchError, Stop, plain
from marubatsu.engine.search.roster import all_ais, require_within_reach
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import classify, enumerate_positions
from marubatsu.pipeline.laboratory.trace_file import TraceEvents, recorder, write_trace
from marubatsu.pipeline.support.background import in_background
from marubatsu.pipeline.support.errors import OptionError, OutOfTimeError
from marubatsu.pipeline.support.machine import checked_time
from marubatsu.pipeline.support.progress import Advance


def run_search(
    graph: Graph,
    position: Position,
    options: Options,
    trace: Trace | str | Path | None = None,
    progress: Advance = lambda share, note="": None,
    seconds: float | None = None,
    shared: Search | None = None,
) -> Result:
    """Search a position; ``trace`` is a function for each event, or a file to write.

    ``shared`` is a search of these options whose table, if it has one, goes on being used.

    Raises UsageError for ``seconds`` that make no sense, and OutOfTimeError when a search that does
    not deepen takes longer; without them, TooLargeError for a search to the end of a game that is
    too large, unless few cells are empty. Raises SearchError for a search that leaves no trace or
    too many events for a file, and DataError when the file cannot be written.
    """
    if seconds is not None:
        checked_time(seconds, may_be_zero=False)
    if not (trace is None or callable(trace) or isinstance(trace, str | Path)):
        raise OptionError("trace", trace, "expected the name of a file, or a function")
    if options.needs_bitboards:
        if trace is not None:
            raise SearchError(f"{options.algorithm} on bitboards leaves no trace: leave out trace")
        return _search_by_bits(graph.game, position, options, seconds, progress)
    if seconds is None:
        _require_within_reach(graph.game, position, options)
    search = shared or Search(options, graph)
    go_on = search.table_size > 0
    stop = None if seconds is None else time_is_up(seconds, progress)
    try:
        if trace is None or callable(trace):
            return search.result(position, go_on=go_on, trace=trace, stop=stop)
        events = TraceEvents()
        result = search.result(position, go_on=go_on, trace=recorder(events, progress), stop=stop)
    except Stopped:
        raise _out_of_time(options, seconds) from None
    write_trace(Path(trace), graph.game, position, options, result, events)
    return result


def _search_by_bits(
    game: Game, position: Position, options: Options, seconds: float | None, progress: Advance
) -> Result:
    from marubatsu.engine.kernels.bitboard_searches import SearchWithBestMoves

    search, is_late = SearchWithBestMoves(game, options), time_is_up(seconds, progress)

    def look() -> None:
        if is_late():
            raise _out_of_time(options, seconds)

    return in_background(lambda: search.result(position), search.stop, look)


def _require_within_reach(game: Game, position: Position, options: Options) -> None:
    to_the_end = options.max_depth is None and options.algorithm is not Algorithm.MONTE_CARLO
    empty = game.cells - position.ply
    if to_the_end and 3**empty > MAX_POSITIONS:  # A cell is empty or holds one of two marks.
        require_within_reach(
            game, options.algorithm,
            "limit the search by the option time, name a later position, or use depth_limited",
        )  # fmt: skip


def time_is_up(
    seconds: float | None,
    progress: Advance = lambda share, note="": None,
    clock: Callable[[], float] = monotonic,
) -> Stop:
    """Return what says whether so many seconds have passed since this call.

    It shows how many have: how much of a search is left is unknown.
    """
    if seconds is None:
        return lambda: False
    started, shown = clock(), -1

    def stop() -> bool:
        nonlocal shown
        passed = clock() - started
        if passed >= shown + 1:  # It is asked at each node.
            shown = int(passed)
            progress(None, f"{shown} of {seconds:g} s")
        return passed > seconds

    return stop


def _out_of_time(options: Options, seconds: float | None) -> OutOfTimeError:
    further = "name a later position"
    if options.algorithm is Algorithm.MONTE_CARLO:
        further = "fewer random games by the option playouts"
    elif "use_table" in options.traits.used and not options.use_table:
        further += ", or set the option use_table"
    return OutOfTimeError(
        f"{options.algorithm} has no result after {seconds:g} s: allow more time, or {further}"
    )


COLUMNS = ("ordering", "score", "nodes", "best_moves", "principal_variation")
COLUMNS_OF_MOVES = ("move", "score", "nodes", "table_size", "seconds", "principal_variation")
COLUMNS_OF_CLASSES = ("ordering", "critical_classes", "nodes", "nodes_a_class")


def compare_orderings(
    game: Game,
    position: Position,
    options: Options,
    trace: Path | None,
    seconds: float | None,
    progress: Advance,
) -> list[list[Any]]:
    """Search a position; return a row for this search, then one for each of our orderings.

    A search with techniques that only bitboards have is returned alone. ``seconds`` limit each
    search; one of our orderings that needs more has no score and no nodes. Scores are circle's
    view. ``trace`` is a file for the events of this search. The best moves do not depend on the
    ordering; those of our orderings are null where searches that deepen within ``seconds`` may end
    at other depths. Raises what `run_search` raises.
    """
    graph = Graph(new_board(game))
    result = run_search(graph, position, options, trace, progress, seconds)
    moves: list[Any] = [list(result.best_moves), list(result.principal_variation)]
    rows = [[_name(options), result.score, result.nodes, *moves]]
    others = _with_our_orderings(options)
    if seconds is not None and options.traits.deepens:
        moves = [None, None]
    for number, same in enumerate(others):
        name = _name(same)
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
    if share_table and (options.needs_bitboards or not options.use_table):
        raise SearchError("a shared table needs use_table, without techniques of bitboards")
    if share_table and options.traits.deepens:
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


def sum_over_classes(game: Game, options: Options, progress: Advance) -> list[list[Any]]:
    """Search the first position of each critical class; return the sums of nodes.

    There is a row for this search, then one for each of our orderings; see COLUMNS_OF_CLASSES.
    Raises SearchError for a search that only bitboards have, TooLargeError for a game whose
    positions do not fit in memory.
    """
    positions = enumerate_positions(game)
    first = classify(positions).representative
    roots = [
        positions[number] for number in first[score_positions(positions).critical[first]].tolist()
    ]
    graph = Graph(new_board(game))
    rows = []
    searches = [options, *_with_our_orderings(options)]
    for number, each in enumerate(searches):
        name = _name(each)
        progress(number / len(searches), f"ordered by {name}")
        search = Search(each, graph)
        nodes = sum(search.count(position).nodes for position in roots)
        rows.append([name, len(roots), nodes, round(nodes / len(roots), 2) if roots else None])
    return rows


def _with_our_orderings(options: Options) -> list[Options]:
    """Return the same search with ascending order and with each other of our orderings."""
    if options.needs_bitboards or not options.traits.prunes:
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


def _name(options: Options) -> str:
    return "none" if options.ordering is None else options.ordering.name
