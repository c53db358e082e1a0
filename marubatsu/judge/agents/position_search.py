"""A search of one position, with orderings and evaluations at addresses or of the caller."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Unpack

from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.notations.reading import BoardLike, read_position
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.layers import Event
from marubatsu.engine.search.options import (
    Options,
    Result,
    SearchSettings,
    TechniqueOptions,
    algorithm_of,
)
from marubatsu.engine.search.roster import options_of
from marubatsu.judge.agents.address import ai_at
from marubatsu.judge.agents.agent_options import AgentOptions, described, of_group, require_keywords
from marubatsu.judge.agents.agent_settings import settings_for
from marubatsu.judge.agents.players import Players
from marubatsu.pipeline.laboratory.run_search import run_search
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.tables.data_set import DataSet


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
    file to write, which the explorer replays, or a function that takes every `Event`; an exception
    of this function ends the search. ``time`` limits the search in seconds. With ``time``, games of
    any size are searched, and an ordering is called only for positions that the search reaches.

    `SearchOptions` describes the ``options``: the order of the moves, the window, the table, the
    depth, a seed, the techniques of docs/techniques.md, and the limits of a function at an address,
    as in `audit`.

    The result has ``score`` (circle's view), ``nodes``, ``best_moves`` (cells),
    ``principal_variation`` (cells) and ``table_size`` (boards, on bitboards entries).

    Raises InputError for options that make no sense, for an invalid board, for a game too large to
    be searched to the end without ``time``, and for a function that fails; OutOfTimeError when the
    time is up; UsageError for a keyword that is no option, and as `audit` does; DataError when the
    file cannot be written.

    >>> search("alphabeta").nodes, search("minimax").nodes
    (18297, 549946)
    >>> search("alphabeta", "1 5 9", numbering="cells-from-1", use_table=True).best_moves
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
    with (
        opened_options(data_set, algorithm, ordering, evaluation, options) as opened,
        progress("searching") as advance,
    ):
        position = EMPTY
        if board is not None:
            begins = options.get("first", MARKS[0])
            position = read_position(data_set.game, board, first=begins, numbering=numbering)
        graph = Graph(new_board(data_set.game))
        return run_search(graph, position, opened, trace=trace, seconds=time, progress=advance)


@contextmanager
def opened_options(
    data_set: DataSet,
    algorithm: str,
    ordering: Choose | str | None,
    evaluation: Choose | str | None,
    options: Mapping[str, Any],
) -> Iterator[Options]:
    """Yield the options of a search; its ordering and evaluation answer until the end of the block.

    Raises what `search` raises for options that make no sense.
    """
    agents = of_group(options, AgentOptions)
    settings = {name: value for name, value in options.items() if name not in agents}
    asked = {"ordering": ordering, "evaluation": evaluation}
    ais = {name: ai_at(ai, data_set) for name, ai in asked.items() if ai is not None}
    with Players(data_set, settings_for(ais.values(), agents, other_boards=True)) as players:
        starts = {"ordering": players.ordering, "evaluation": players.evaluation}
        started = {name: starts[name](ai) for name, ai in ais.items()}
        yield options_of(algorithm_of(algorithm), **started, **settings)
