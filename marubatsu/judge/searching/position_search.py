"""A search of a position with orderings and evaluations of a user's own program."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.notations.reading import BoardLike, read_position
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import Result, SearchSettings, Techniques, algorithm_of
from marubatsu.engine.search.roster import options_of
from marubatsu.engine.search.trace import Trace
from marubatsu.judge.agents.address import ai_at
from marubatsu.judge.agents.agent_limits import limits_for
from marubatsu.judge.agents.agent_options import AgentOptions
from marubatsu.judge.agents.players import Players
from marubatsu.judge.searching.traced_search import run
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.keywords import described
from marubatsu.pipeline.support.progress import progress


@described
class SearchOptions(SearchSettings, Techniques, AgentOptions, total=False):
    """The options of a search, its techniques, and how to run a function at an address."""


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
    confined, searched = _parted(options)
    ais = [ai_at(each, data_set) for each in (ordering, evaluation) if each is not None]
    with Players(data_set, limits_for(ais, confined)) as players, progress("searching") as advance:
        chosen = options_of(
            algorithm_of(algorithm),
            ordering=None if ordering is None else players.ordering(ordering),
            evaluation=None if evaluation is None else players.evaluation(evaluation),
            **searched,
        )
        position = EMPTY
        if board is not None:
            begins = options.get("first", MARKS[0])
            position = read_position(data_set.game, board, first=begins, numbering=numbering)
        return run(Graph(new_board(data_set.game)), position, chosen, trace, advance)


def _parted(options: SearchOptions) -> tuple[AgentOptions, dict[str, Any]]:
    """Return the options that confine a function, and those of the search."""
    searched: dict[str, Any] = {**options}
    ours = [name for name in options if name in AgentOptions.__annotations__]
    confined = cast("AgentOptions", {name: searched.pop(name) for name in ours})
    return confined, searched
