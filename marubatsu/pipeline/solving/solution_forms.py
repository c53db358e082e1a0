"""Open a solution in the form that is there: its folder, else the file of its compact form."""

from collections.abc import Callable
from functools import partial

from marubatsu.pipeline.solving.compact_file import CompactFile, CompactRows
from marubatsu.pipeline.solving.solved_rows import CompleteRows, SolvedRows
from marubatsu.pipeline.stages.staleness import require_current, tell_stale
from marubatsu.pipeline.store.data_set import DataSet, Solution, not_built
from marubatsu.pipeline.store.integrity import open_listed


def open_rows(solution: Solution, on_wait: Callable[[], None]) -> SolvedRows:
    """Open the rows of a solution; a file is compared with its hash when it is first needed.

    Raises DataError when there is none, and when the list of the files is damaged.
    """
    with solution.lock(write=False, on_wait=on_wait):
        manifest = solution.manifest()
        if manifest is None and solution.is_compact:
            return CompactRows(CompactFile(solution))
    if manifest is None:
        raise not_built(solution)
    tell_stale(solution, manifest, manifest.files)
    return CompleteRows(solution.game, manifest, partial(open_listed, solution, manifest))


def open_intact(solution: Solution, on_wait: Callable[[], None]) -> SolvedRows:
    """Open the rows of a solution as `open_rows` does, after all files are compared."""
    if not solution.is_solved:
        raise not_built(solution)
    with solution.lock(write=False, on_wait=on_wait):
        if solution.is_compact:
            file = CompactFile(solution)
            file.require_intact()
            return CompactRows(file)
        manifest, files = require_current(solution)
    return CompleteRows(solution.game, manifest, files.__getitem__)


def data_hash_of(data_set: DataSet) -> str | None:
    """Return the hash of the rows of a game's tables, else of its solution; None without any."""
    solution = data_set.sibling(Solution)
    if manifest := data_set.manifest() or solution.manifest():
        return manifest.data_hash
    return CompactFile(solution).totals.data_hash if solution.is_compact else None
