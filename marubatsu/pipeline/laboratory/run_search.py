"""One search; the file of its trace, which the page replays; its nodes next to those of others."""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from time import monotonic
from typing import Any

from marubatsu.engine.ais.ai import Number
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.bounds import MAX_POSITIONS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.layers import Event, EventKind, Stopped, Trace
from marubatsu.engine.search.options import (
    Options,
    Result,
    SearchError,
    SearchSettings,
    Stop,
    plain,
)
from marubatsu.engine.search.roster import all_ais, require_within_reach
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import classify, enumerate_positions
from marubatsu.pipeline.support.background import in_background
from marubatsu.pipeline.support.errors import OptionError, OutOfTimeError
from marubatsu.pipeline.support.json_text import json_text
from marubatsu.pipeline.support.machine import checked_time
from marubatsu.pipeline.support.progress import Advance
from marubatsu.pipeline.tables.output import destination
from marubatsu.version import __version__

_Happening = tuple[str, float | None, float | None, float | None, int]

CONTENT = "search trace"
"""What a file says of itself, in its first words."""

VERSION = 1
"""The version of the file's form."""

MOST_EVENTS = 2_000_000
"""The most events of a file: the page keeps all of them in memory."""


class TraceEvents:
    """Events in their order; those that are alike but for the cell are stored once."""

    def __init__(self) -> None:
        self._kinds: dict[_Happening, int] = {}
        self._codes = array("i")
        self._cells: list[int | None] = []

    def __len__(self) -> int:
        return len(self._codes)

    def add(
        self,
        kind: str,
        alpha: float | None,
        beta: float | None,
        score: float | None,
        skipped: int,
        *,
        cell: int | None,
    ) -> None:
        """Add an event; an entry has the cell that is played to enter, None at the root.

        Windows and scores are circle's view, None where there is no end of the window or no score.
        """
        happening = (str(kind), alpha, beta, score, skipped)
        self._codes.append(self._kinds.setdefault(happening, len(self._kinds)))
        if kind == EventKind.ENTER:
            self._cells.append(cell)

    def content(self) -> dict[str, Sequence[Any]]:
        """Return the events as lists.

        ``kinds`` are the events that differ: what happens, with the window, the score and the moves
        that a cut skips. ``codes`` has the index of each event in ``kinds``, ``cells`` the cell of
        each entry.
        """
        names = ("kind", "alpha", "beta", "score", "skipped")
        return {
            "kinds": [dict(zip(names, each, strict=True)) for each in self._kinds],
            "codes": self._codes.tolist(),
            "cells": self._cells,
        }


def recorder(events: TraceEvents, progress: Advance) -> Trace:
    """Return what adds each event. It raises SearchError when there are too many."""

    def record(event: Event) -> None:
        if len(events) == MOST_EVENTS:
            raise SearchError(
                f"the search makes more than {MOST_EVENTS:,} events, too many for a file that the "
                "page plays: name a later position, a smaller depth, an ordering or a table"
            )
        if len(events) % 10_000 == 0:
            progress(None, f"{len(events):,} events")
        variation = event.variation
        cell = variation[-1] if event.kind is EventKind.ENTER and variation else None
        alpha, beta, score = map(_end, (event.alpha, event.beta, event.score))
        events.add(event.kind, alpha, beta, score, event.skipped, cell=cell)

    return record


def write_trace(
    file: Path,
    game: Game,
    position: Position,
    options: Options,
    result: Result,
    events: TraceEvents,
) -> None:
    """Write the events of a search; the page reads the game, the board and the options, too."""
    ordering, evaluation = options.ordering, options.evaluation
    content = {
        "content": CONTENT,
        "version": VERSION,
        "marubatsu": __version__,
        "game": game.name,
        "board": to_text(game, position),
        "algorithm": options.algorithm,
        "ordering": None if ordering is None else ordering.name,
        **{name: getattr(options, name) for name in SearchSettings.__annotations__},
        "evaluation": None if evaluation is None else evaluation.name,
        "score": result.score,
        "nodes": result.nodes,
        **events.content(),
    }
    with destination(file) as out:
        out.write(json_text(content) + "\n")


def _end(value: Number | None) -> float | None:
    """Return a score or an end of a window as JSON holds it, None where there is none."""
    return None if value is None or not isfinite(value) else plain(value)


def run_search(
    graph: Graph,
    position: Position,
    options: Options,
    *,
    trace: Trace | str | Path | None = None,
    seconds: float | None = None,
    progress: Advance = lambda share, note="": None,
    shared: Search | None = None,
) -> Result:
    """Search a position; ``trace`` is a function for each event, or a file to write.

    ``shared`` is a search of these options that goes on.

    Raises UsageError for ``seconds`` that make no sense, and OutOfTimeError when a search that does
    not deepen takes longer; without them, TooLargeError for a search to the end of a game that is
    too large, unless few cells are empty. Raises SearchError for a search that leaves no trace or
    too many events for a file, and DataError when the file cannot be written.
    """
    if seconds is not None:
        seconds = checked_time(seconds, may_be_zero=False)
    if not (trace is None or callable(trace) or isinstance(trace, str | Path)):
        raise OptionError("trace", trace, "expected the name of a file, or a function")
    if options.needs_bitboards:
        if trace is not None:
            raise SearchError(f"{options.algorithm} on bitboards leaves no trace: leave out trace")
        return _search_by_bits(graph.game, position, options, seconds, progress)
    if seconds is None:
        _require_within_reach(graph.game, position, options)
    search = shared or Search(options, graph)
    stop = None if seconds is None else time_is_up(seconds, progress)
    try:
        if trace is None or callable(trace):
            return search.result(position, trace=trace, stop=stop)
        events = TraceEvents()
        result = search.result(position, trace=recorder(events, progress), stop=stop)
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
    empty = game.cells - position.ply
    plies = empty if options.max_depth is None else options.max_depth
    to_the_end = plies >= empty and not options.traits.plays_out
    if to_the_end and 3**empty > MAX_POSITIONS:  # A cell is empty or holds one of two marks.
        require_within_reach(
            game, options.algorithm,
            "limit the search by the option time, name a later position, or search fewer plies by "
            "depth_limited",
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
    if options.traits.plays_out:
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
    *,
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
    result = run_search(graph, position, options, trace=trace, seconds=seconds, progress=progress)
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
    *,
    seconds: float | None,
    progress: Advance,
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
    shared = Search(options, graph, goes_on=True) if share_table else None
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
