"""What knows the values of a game: its tables where they are built, its solution, or a search."""

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from marubatsu.engine.kernels.exact_layout import is_searchable
from marubatsu.engine.notations.reading import BoardLike
from marubatsu.engine.rules.game import Game
from marubatsu.judge.oracle.answer import Answer
from marubatsu.judge.oracle.oracle import Oracle, TableOracle
from marubatsu.pipeline.stages.on_demand import built_if_quick, data_set_of, is_quick
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.events import note
from marubatsu.pipeline.support.machine import (
    ANSWER_SECONDS,
    MEMORY,
    checked_threads,
    checked_time,
    half_the_memory,
    parse_memory,
)
from marubatsu.pipeline.tables.data_set import DataSet, Solution

if TYPE_CHECKING:
    from marubatsu.pipeline.laboratory.kept_tables import KeptAnswers

_MEMORY = parse_memory(MEMORY)


class ValueSource(StrEnum):
    """What knows the values of a game."""

    TABLES = "tables"
    SOLUTION = "solution"
    SEARCH = "search"


def value_source(data_set: DataSet, *, tables_if_quick: bool = True) -> ValueSource:
    """Return what answers about a game: its tables, else its solution, else a search.

    Of a game without data, one whose tables are built at once needs those: they are built, or an
    error says so. Others are searched if they can be; without ``tables_if_quick``, all of them.
    """
    if data_set.has_manifest:
        return ValueSource.TABLES
    if data_set.sibling(Solution).is_solved:
        return ValueSource.SOLUTION
    if not tables_if_quick or is_searched_without_data(data_set.game):
        return ValueSource.SEARCH
    return ValueSource.TABLES


def open_oracle(
    data_set: DataSet, *, seconds: float = ANSWER_SECONDS, memory: int = _MEMORY, threads: int = 1
) -> Oracle:
    """Return the oracle of a game.

    It keeps answering from what it has read, whatever a build or a solver replaces meanwhile. A
    game without data is searched if its tables could not be built at once: for ``seconds`` an
    answer at most, by so many ``threads``, with a table of ``memory`` bytes. Raises DataError when
    nothing is there, or a file is damaged.
    """
    source = value_source(data_set)
    if source is ValueSource.SOLUTION:
        from marubatsu.judge.oracle.solution_oracle import SolutionOracle

        return SolutionOracle(data_set.sibling(Solution))
    if source is ValueSource.SEARCH:
        from marubatsu.judge.oracle.search_oracle import SearchOracle
        from marubatsu.pipeline.laboratory.kept_tables import known_answers

        return SearchOracle(
            data_set.game,
            memory=memory,
            seconds=seconds,
            threads=threads,
            kept=known_answers(data_set),
            keep=partial(_keep, data_set),
        )
    return TableOracle(data_set)


def _keep(data_set: DataSet, answers: "KeptAnswers") -> None:
    from marubatsu.pipeline.laboratory.kept_tables import add_answers

    try:
        add_answers(data_set, answers)
    except DataError as error:  # The answer is right, kept or not.
        note("not kept", f"what the search found is not kept: {error}")


def is_searched_without_data(game: Game) -> bool:
    """Return whether a game without data is searched."""
    return not is_quick(game) and is_searchable(game)


def oracle(
    game: Game | str = "tictactoe",
    *,
    time: float = ANSWER_SECONDS,
    memory: str = MEMORY,
    threads: int = 1,
    data: str | Path | None = None,
) -> Oracle:
    """Open the oracle of a game: its tables, else its solution, else a search.

    A small game without data is built. The oracle's ``answer`` returns everything about a position,
    its ``answer_many`` the values of many positions and of all their moves, as arrays; both take
    ``first`` and ``numbering`` as `answer` does. ``within`` also returns the bounds that a search
    has when its time is up. A search takes ``time`` seconds at most for one call, runs in so many
    ``threads``, and keeps a table of ``memory``, such as ``"500MB"``.

    Raises InputError for a name of no game; DataError when there is no data of a game that is too
    large to be searched, and when files are damaged; UsageError for a time, a memory or a
    number of threads that makes no sense.

    >>> opened = oracle("tictactoe")
    >>> opened.answer("oxo.x....").best_moves
    (7,)
    >>> many = opened.answer_many(["o...x...o", "ox......."])
    >>> many.score.tolist(), many.distance.tolist(), len(many.move)
    ([0, 1], [6, 5], 13)
    """
    seconds, size, most = checked_time(time), parse_memory(memory), checked_threads(threads)
    built = built_if_quick(game, data)
    return open_oracle(built, seconds=seconds, memory=size, threads=most)


def answer(
    board: BoardLike,
    game: Game | str = "tictactoe",
    *,
    first: str = "o",
    numbering: str | None = None,
    time: float = ANSWER_SECONDS,
    data: str | Path | None = None,
) -> Answer:
    """Return the facts about a position: its value, its class, its moves, best first.

    ``board`` is its cells row by row: ``.`` empty, ``o`` circle, ``x`` cross; or the moves so far.
    It may have other spellings, and be a list or an array; docs/positions.md lists them. ``first``
    is the mark of the side that begins on it, and becomes ``o``, circle. ``numbering`` is that of
    the moves, or of the cells of a board without rows. To ask often, open an `oracle` once. A game
    without data is searched, as there, for ``time`` seconds at most.

    The answer has ``score`` (circle's view), ``distance`` (plies to the end with best play),
    ``turn``, ``status``, ``best_moves`` (cells) and ``moves``; the ``loss`` of a move is how much
    it lowers the mover's score. `Answer` and `Move` describe all fields. ``summary`` states the
    value in words.

    Raises InputError or UsageError when play cannot reach the position, or the text can be read in
    two ways; OutOfTimeError, which has the bounds, when the time is up; DataError when there is no
    data of a game that is too large to be searched.

    >>> found = answer("o...x...o")
    >>> found.turn, found.score, found.distance, found.class_
    ('cross', 0, 6, 33)
    >>> [(move.move, move.loss) for move in found.moves]
    [(1, 0), (3, 0), (5, 0), (7, 0), (2, 1), (6, 1)]
    >>> answer([["x", "o", ""], ["", "", ""], ["", "", ""]], first="x").board
    'ox.......'
    >>> found = answer("d1 d2 d3 d4 d5 d6 c1 e1 c2 c3 e2 b1 b2 b3 a1 a2", "connect4")
    >>> found.turn, found.score, found.distance, found.best_moves
    ('circle', 1, 23, (15,))
    """
    opened = oracle(game, time=time, data=data)
    return opened.answer(board, first=first, numbering=numbering)


def solve(game: Game | str, *, memory: str | None = None, data: str | Path | None = None) -> Oracle:
    """Solve a game strongly, write its solution into the data folder, and return its oracle.

    A solution that is up to date stays as it is, and a stopped run continues. ``memory`` limits the
    memory for data, such as ``"2GB"`` (default: half of the machine's). Raises InputError for a
    name of no game and for a board that is too large, UsageError for a memory that makes no sense,
    and DataError when there is no room.

    >>> solve("3x3k3-gravity").answer("......o.x").score
    0
    """
    from marubatsu.judge.oracle.solution_oracle import SolutionOracle
    from marubatsu.pipeline.solving.cost_estimate import estimate
    from marubatsu.pipeline.solving.local_engine import solve as solve_locally

    data_set = data_set_of(game, data)
    limit = half_the_memory() if memory is None else parse_memory(memory)
    expected = estimate(data_set.game, limit)
    solve_locally(data_set.root, data_set.game, limit, expected=expected)
    return SolutionOracle(data_set.sibling(Solution))
