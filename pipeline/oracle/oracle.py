"""Oracles: they take a position and return the facts about it, from any source."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from marubatsu.pipeline.oracle.answer import Answer
from marubatsu.pipeline.store.data_set import DataSet, Solution
from marubatsu.pipeline.store.manifest import FILE as MANIFEST


class Oracle(Protocol):
    """A source of facts about the positions of a game."""

    def answer(self, board: str) -> Answer:
        """Return the facts about a board. Raises BoardError or UsageError when there are none."""


@contextmanager
def open_oracle(data_set: DataSet, on_wait: Callable[[], None]) -> Iterator[Oracle]:
    """Open the tables of a game, else its solution, locked against builders.

    Raises DataError when neither is there, or a file is damaged.
    """
    solution = Solution(data_set.root, data_set.game)
    if solution.path(MANIFEST).exists() and not data_set.path(MANIFEST).exists():
        from marubatsu.pipeline.oracle.solution_oracle import SolutionOracle
        from marubatsu.pipeline.solution.lookup import open_lookup

        with open_lookup(solution, on_wait) as lookup:
            yield SolutionOracle(lookup)
        return
    from marubatsu.pipeline.oracle.table_oracle import TableOracle
    from marubatsu.pipeline.sql.catalog import open_catalog

    with open_catalog(data_set, on_wait) as catalog:
        yield TableOracle(catalog)
