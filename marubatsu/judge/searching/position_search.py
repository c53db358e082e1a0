"""A search of one position: with a user's own orderings and evaluations, or with each of ours."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, cast

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.notations.reading import BoardLike, read_position
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import Algorithm, Result, algorithm_of, plain
from marubatsu.engine.search.roster import all_ais, options_of
from marubatsu.engine.search.trace import Trace
from marubatsu.judge.agents.address import ai_at
from marubatsu.judge.agents.agent_limits import AgentOptions, limits_for
from marubatsu.judge.agents.players import Players
from marubatsu.judge.searching.traced_search import run
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.progress import Advance, progress

COLUMNS = ("ordering", "score", "nodes", "best_moves", "principal_variation")
_UNORDERED = {Algorithm.MINIMAX, Algorithm.MONTE_CARLO}


class SearchOptions(AgentOptions, total=False):
    """The options of a search, and those that confine a function at an address.

    Their defaults: false, None, ``playouts=100``, ``symmetry=True`` and ``replacement="always"``.
    The options from ``by_lines`` on are the techniques of docs/techniques.md.
    """

    order_all: bool
    """Sort all moves by the ordering's scores, instead of swapping its choice to the front."""

    shortest_victory: bool
    """Score quick wins higher: the scores are score_sv."""

    init_window: bool
    """Start with the range of scores instead of everything."""

    use_table: bool
    """Remember the bounds of positions and of their images."""

    max_depth: int | None
    """Plies to search; None: to the end."""

    seed: int | None
    """Draw among equal heads of an ordering, or the moves of playouts; None: the first one."""

    playouts: int
    """Random games after each move."""

    by_lines: bool
    """Begin ascending order with the cells that most lines cross."""

    table_move: bool
    """Search the best move of the table first."""

    killers: bool
    """Then the last two moves that cut at this ply."""

    counter_moves: bool
    """Then the last move that cut after the same last move."""

    history: bool
    """Sort the other moves by a counter: each node where a move was best adds 2**depth."""

    internal_deepening: bool
    """Without a move of the table, search two plies less deep first."""

    deepening: bool
    """Search 1, 2, 3 … plies deep until somebody wins."""

    aspiration: bool
    """Start with a window around the score of the depth before, or around a draw."""

    enhanced_cutoffs: bool
    """Look all children up before the first is searched."""

    fail_hard: bool
    """Return no score beyond the window."""

    symmetry: bool
    """Use one entry of the table for all images of a position."""

    table_size: int | None
    """Places of the table, a power of two; None: as many as needed."""

    replacement: Literal["always", "depth", "two_tier"]
    """The entry that a full table drops for a new one."""


def search_position(
    algorithm: str,
    board: BoardLike | None,
    game: Game | str,
    numbering: str | None,
    ordering: Callable[..., Any] | str | None,
    evaluation: Callable[..., Any] | str | None,
    trace: Trace | str | Path | None,
    data: str | Path | None,
    options: SearchOptions,
) -> Result:
    """Search a position; see `marubatsu.search`. Raises InputError, UsageError and DataError."""
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
        return run(Graph(new_board(data_set.game)), position, search_options, trace, advance)


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
    progress: Advance,
    **options: Any,
) -> list[list[Any]]:
    """Search a position; return a row for this search, then one for each of our orderings.

    A search with techniques that only bitboards have is returned alone. Scores are circle's
    view. ``trace`` is a file for the events of this search. The best moves do not depend on the
    ordering. Raises SearchError for options that make no sense, and what `run` raises.
    """
    graph = Graph(new_board(game))
    search_options = options_of(algorithm, ordering=ordering, evaluation=evaluation, **options)
    result = run(graph, position, search_options, trace, progress)
    moves = [list(result.best_moves), list(result.principal_variation)]
    rows = [[_name(ordering), result.score, result.nodes, *moves]]
    others = [ai for ai in (None, *all_ais()) if ai is None or ai.evaluate]
    if (
        search_options.is_by_bits
        or algorithm in _UNORDERED
        or (options["order_all"] and ordering is None)
    ):
        others = []
    others = [ai for ai in others if ai != ordering]
    for number, orders in enumerate(others):
        progress(number / len(others), f"ordered by {_name(orders)}")
        changed = {**options, "order_all": options["order_all"] and orders is not None}
        if orders is None:
            changed["seed"] = None
        same = options_of(algorithm, ordering=orders, evaluation=evaluation, **changed)
        count = Search(same, graph).count(position)
        rows.append([_name(orders), plain(count.score), count.nodes, *moves])
    return rows


def _name(ordering: AI | None) -> str:
    return "none" if ordering is None else ordering.name
