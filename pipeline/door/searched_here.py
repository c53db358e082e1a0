"""A search of a position with orderings and evaluations of a user's own program."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.players.roster import options_of
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.rules.reading import read_position
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import Result, algorithm_of
from marubatsu.engine.search.trace import Trace
from marubatsu.pipeline.agents.address import ai_at
from marubatsu.pipeline.agents.agent_limits import limits_for, taken_from
from marubatsu.pipeline.agents.players import Players
from marubatsu.pipeline.searching.traced_search import run
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.progress import progress


def search_here(
    algorithm: str,
    board: str | None,
    game: Game | str,
    ordering: Callable[..., Any] | str | None,
    evaluation: Callable[..., Any] | str | None,
    trace: Trace | str | Path | None,
    data: str | Path | None,
    options: dict[str, Any],
) -> Result:
    """Search a position; see `marubatsu.search`. Raises InputError, UsageError and DataError."""
    data_set = data_set_of(game, data)
    confined = taken_from(options)
    ais = [ai_at(each, data_set) for each in (ordering, evaluation) if each is not None]
    with Players(data_set, limits_for(ais, confined)) as players, progress("searching") as advance:
        chosen = options_of(
            algorithm_of(algorithm),
            ordering=None if ordering is None else players.ordering(ordering),
            evaluation=None if evaluation is None else players.evaluation(evaluation),
            **options,
        )
        position = EMPTY if board is None else read_position(data_set.game, board)
        return run(Graph(new_board(data_set.game)), position, chosen, trace, advance)
