"""The oracle of a game: its tables where they are built, else its solution."""

from collections.abc import Callable

from marubatsu.pipeline.oracle.oracle import Oracle
from marubatsu.pipeline.stages.on_demand import data_on_demand
from marubatsu.pipeline.store.data_set import DataSet, Solution
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.progress import say_waiting


def open_oracle(data_set: DataSet, on_wait: Callable[[], None]) -> Oracle:
    """Return the oracle of a game.

    It keeps answering from what it has read, whatever a build or a solver replaces meanwhile.
    Raises DataError when nothing is there, or a file is damaged.
    """
    solution = data_set.beside(Solution)
    if solution.has_manifest and not data_set.has_manifest:
        from marubatsu.pipeline.oracle.solution_oracle import SolutionOracle

        return SolutionOracle(solution, on_wait)
    from marubatsu.pipeline.oracle.table_oracle import TableOracle

    return TableOracle(data_set, on_wait)


def oracle_or_error(data_set: DataSet) -> Oracle | DataError:
    """Return the oracle of a game, built if that is quick, or the reason why there is none."""
    try:
        return open_oracle(data_on_demand(data_set.game, data_set.root), say_waiting)
    except DataError as error:
        return error
