"""What is wrong with the file of a solution's compact form."""

from collections.abc import Iterator

from marubatsu.pipeline.checking.published_content import DIFFERENT, published_of
from marubatsu.pipeline.solving.compact_file import CompactFile, CompactRows
from marubatsu.pipeline.solving.parts import encode_part
from marubatsu.pipeline.solving.solved_rows import read_rows
from marubatsu.pipeline.store.data_set import Solution
from marubatsu.pipeline.store.integrity import Problem
from marubatsu.pipeline.store.listed_files import is_part, part_file, parts
from marubatsu.pipeline.support.errors import DataError


def compact_problems(solution: Solution) -> Iterator[Problem]:
    """Yield what is wrong with the file, if anything.

    Its frames are compared with their hashes, and its rows with those that are published, or else
    with what the complete form says of its own. The caller holds the lock of the solution.
    """
    try:
        file = CompactFile(solution)
        file.require_intact()
        reason = _difference(solution, file)
    except DataError as error:
        why = error.facts.get("why", error.problem)
        yield Problem(error.kind, solution.compact, str(why))
    else:
        if reason:
            yield Problem(DIFFERENT, solution.compact, reason)


def _difference(solution: Solution, file: CompactFile) -> str:
    """Say how its rows differ from others, "" when they do not, or there are none."""
    manifest = solution.manifest()
    if manifest and manifest.data_hash != file.totals.data_hash:
        return "it is not the compact form of the solution beside it"
    published = {name: of for name, of in published_of(solution).items() if is_part(name)}
    rows = CompactRows(file)
    for ply, count in enumerate(rows.rows if published else ()):
        for number, first, last in parts(count):
            name = part_file(ply, number)
            values = read_rows(rows, ply, first, last - first)
            if published.pop(name, "") != encode_part(rows.game, values).content:
                return f"its rows of {name} are not those that are published"
    return f"it lacks {min(published)}, which is published" if published else ""
