"""The oracle of a game: its tables where they are built, else its solution, else a search."""

from collections.abc import Callable

from marubatsu.engine.kernels.exact_layout import is_searchable
from marubatsu.engine.rules.game import Game
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.pipeline.stages.on_demand import data_on_demand, is_quick
from marubatsu.pipeline.store.data_set import DataSet, Solution
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.events import note
from marubatsu.pipeline.support.machine import parse_memory
from marubatsu.pipeline.support.progress import say_waiting
from marubatsu.pipeline.support.search_limits import ANSWER_SECONDS, MEMORY

_MEMORY = parse_memory(MEMORY)


def open_oracle(
    data_set: DataSet,
    on_wait: Callable[[], None],
    *,
    seconds: float = ANSWER_SECONDS,
    memory: int = _MEMORY,
) -> Oracle:
    """Return the oracle of a game.

    It keeps answering from what it has read, whatever a build or a solver replaces meanwhile. A
    game without data is searched if its tables could not be built at once: for ``seconds`` an
    answer at most, with a table of ``memory`` bytes. Raises DataError when nothing is there, or a
    file is damaged.
    """
    solution = data_set.beside(Solution)
    if solution.has_manifest and not data_set.has_manifest:
        from marubatsu.judge.oracle.solution_oracle import SolutionOracle

        return SolutionOracle(solution, on_wait)
    if goes_by_search(data_set):
        from marubatsu.judge.oracle.search_oracle import SearchOracle
        from marubatsu.pipeline.laboratory import answers_table

        def keep(answers: answers_table.KeptAnswers) -> None:
            try:
                answers_table.add(data_set, answers)
            except DataError as error:  # The answer is right, kept or not.
                note("not kept", f"what the search found is not kept: {error}")

        return SearchOracle(
            data_set.game,
            memory=memory,
            seconds=seconds,
            kept=answers_table.read(data_set),
            keep=keep,
        )
    from marubatsu.judge.oracle.table_oracle import TableOracle

    return TableOracle(data_set, on_wait)


def is_searched(game: Game) -> bool:
    """Return whether a game without data is searched."""
    return not is_quick(game) and is_searchable(game)


def oracle_on_demand(data_set: DataSet, seconds: float = ANSWER_SECONDS) -> Oracle:
    """Return the oracle of a game, built first if that is quick. Raises as `open_oracle` does."""
    built = data_on_demand(data_set.game, data_set.root)
    return open_oracle(built, say_waiting, seconds=seconds)


def goes_by_search(data_set: DataSet) -> bool:
    """Return whether only a search knows a game: it has no data, and is not built at once."""
    has_data = data_set.has_manifest or data_set.beside(Solution).has_manifest
    return not has_data and is_searched(data_set.game)


def oracle_or_error(data_set: DataSet, seconds: float = ANSWER_SECONDS) -> Oracle | DataError:
    """Return the oracle of a game, built if that is quick, or the reason why there is none."""
    try:
        return oracle_on_demand(data_set, seconds)
    except DataError as error:
        return error
