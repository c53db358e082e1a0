"""A search of one position: with a user's own orderings and evaluations, or with each of ours."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, Unpack, cast

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.notations.reading import BoardLike, read_position
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import (
    DEEPENING,
    Algorithm,
    Options,
    Result,
    SearchError,
    SearchSettings,
    TechniqueOptions,
    algorithm_of,
    plain,
)
from marubatsu.engine.search.roster import all_ais, options_of
from marubatsu.engine.search.run import Stopped
from marubatsu.engine.search.trace import Event
from marubatsu.engine.tree.classes import classify
from marubatsu.engine.tree.induction import solve
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.judge.agents.address import ai_at
from marubatsu.judge.agents.agent_limits import limits_for
from marubatsu.judge.agents.agent_options import AgentOptions
from marubatsu.judge.agents.players import Players
from marubatsu.judge.searching.traced_search import run, time_is_up
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.keywords import described, require_keywords
from marubatsu.pipeline.support.progress import Advance, progress
from marubatsu.pipeline.support.search_limits import checked_time

COLUMNS = ("ordering", "score", "nodes", "best_moves", "principal_variation")
COLUMNS_OF_MOVES = ("move", "score", "nodes", "table_size", "seconds", "principal_variation")
COLUMNS_OF_CLASSES = ("ordering", "critical_classes", "nodes", "nodes_a_class")
_UNORDERED = {Algorithm.MINIMAX, Algorithm.MONTE_CARLO}


@described
class SearchOptions(SearchSettings, TechniqueOptions, AgentOptions, total=False):
    """The options of a search, its techniques, and how to run a function at an address."""


def search(
    algorithm: str = "alphabeta",
    board: BoardLike | None = None,
    game: Game | str = "tictactoe",
    *,
    numbering: str | None = None,
    ordering: Choose | str | None = None,
    evaluation: Choose | str | None = None,
    trace: Callable[[Event], object] | str | Path | None = None,
    time: float | None = None,
    data: str | Path | None = None,
    **options: "Unpack[SearchOptions]",
) -> Result:
    """Search a position, the empty board by default, and count the nodes that it visits.

    ``board`` and ``numbering`` are as in `answer`.
    ``algorithm`` is one of minimax, alphabeta, scout, mtdf, nullwindow, depth_limited,
    iterative_deepening, pvs, monte_carlo, sss, dual, proof_number, df_pn and uct. ``ordering`` and
    ``evaluation`` are functions or addresses, as in ``marubatsu search``. An ordering takes a board
    and its legal moves, and returns them as a list, the first to search first, or with scores.
    An evaluation takes a board, and returns its value for the player who just moved. ``trace`` is a
    file to write, which the explorer plays, or a function: it takes every `Event`, and what it
    raises ends the search. ``time`` limits the search in seconds; with it, games of any size are
    searched, and an ordering is asked where the search comes.

    `SearchOptions` describes the ``options``: the order of the moves, the window, the table, the
    depth, a seed, the techniques of docs/techniques.md, and the limits of a function at an address,
    as in `audit`.

    The result has ``score`` (circle's view), ``nodes``, ``best_moves`` (cells),
    ``principal_variation`` (cells) and ``table_size`` (boards).

    Raises InputError for options that make no sense, for an invalid board, for a game too large to
    be searched to the end without ``time``, and for a function that fails; OutOfTimeError when the
    time is up; UsageError for a keyword that is no option, and as `audit` does; DataError when the
    file cannot be written.

    >>> search("alphabeta").nodes, search("minimax").nodes
    (18297, 549946)
    >>> search("alphabeta", "o...x...o", use_table=True).best_moves
    (1, 3, 5, 7)
    >>> value = lambda board: board.count("x") - board.count("o")
    >>> search("depth_limited", max_depth=2, evaluation=value).nodes
    26
    >>> events = []
    >>> search("alphabeta", "oxoxx.o..", trace=events.append).nodes, len(events)
    (9, 20)
    >>> str(events[0].kind), events[0].alpha, events[-1].score
    ('enter', -inf, -1)
    """
    require_keywords(search, options, SearchOptions)
    data_set = data_set_of(game, data)
    confined, searched = _split(options)
    orders = None if ordering is None else ai_at(ordering, data_set)
    values = None if evaluation is None else ai_at(evaluation, data_set)
    limits = limits_for([ai for ai in (orders, values) if ai], confined)
    with Players(data_set, limits) as players, progress("searching") as advance:
        search_options = options_of(
            algorithm_of(algorithm),
            ordering=None if orders is None else players.ordering(orders),
            evaluation=None if values is None else players.evaluation(values),
            **searched,
        )
        position = EMPTY
        if board is not None:
            begins = options.get("first", MARKS[0])
            position = read_position(data_set.game, board, first=begins, numbering=numbering)
        graph = Graph(new_board(data_set.game))
        return run(graph, position, search_options, trace, advance, _checked(time))


def _checked(seconds: float | None) -> float | None:
    """Return the time of a search, None for any. Raises UsageError."""
    return None if seconds is None else checked_time(seconds, may_be_zero=False)


def _split(options: SearchOptions) -> tuple[AgentOptions, dict[str, Any]]:
    """Return the options that confine a function, and those of the search."""
    searched: dict[str, Any] = {**options}
    ours = [name for name in options if name in AgentOptions.__annotations__]
    confined = cast("AgentOptions", {name: searched.pop(name) for name in ours})
    return confined, searched


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
    ordering. Raises SearchError for options that make no sense, and what `run` raises.
    """
    graph = Graph(new_board(game))
    search_options = options_of(algorithm, ordering=ordering, evaluation=evaluation, **options)
    result = run(graph, position, search_options, trace, progress, _checked(seconds))
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
    share_table: bool = False,
) -> list[list[Any]]:
    """Search the position after each legal move; return a row for each, see COLUMNS_OF_MOVES.

    Scores are circle's view; a depth limit counts from the position after the move. ``seconds``
    limit each search. With ``share_table`` a search takes the table of the one before it. Raises
    what `run` raises, and SearchError where there is no such table.
    """
    if share_table and (options.is_by_bits or not options.use_table):
        raise SearchError("a shared table needs use_table, without techniques of bitboards")
    if share_table and options.algorithm in DEEPENING:
        raise SearchError(f"{options.algorithm} begins a table at each depth: leave out the shared")
    graph, moves, rows = Graph(new_board(game)), game.legal_moves(position), []
    shared = Search(options, graph) if share_table else None
    for number, move in enumerate(moves):
        progress(number / len(moves), f"move {move}")
        start = monotonic()
        after = position.after(move)
        result = run(graph, after, options, seconds=_checked(seconds), shared=shared)
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
    roots = [positions[number] for number in first[solve(positions).critical[first]].tolist()]
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
