"""The options of commands that search for an answer."""

from typing import Annotated

from marubatsu.cli.options import option

TimeOption = Annotated[float, option("SECONDS", "Most time of the search for one answer.")]
ThreadsOption = Annotated[
    int | None, option("N", "Threads of the search (default: one for each core).")
]
SearchMemoryOption = Annotated[str, option("SIZE", "Table of the search, as in 500MB or 2GB.")]


def threads_of(number: int | None) -> int:
    """Return how many threads a search gets. Raises OptionError."""
    from marubatsu.pipeline.support.machine import cores
    from marubatsu.pipeline.support.search_limits import checked_threads

    return cores() if number is None else checked_threads(number)
