"""The content hashes that are published, and the data sets whose rows are others.

``content_hashes.csv`` has a row for each file of some games, and one for each data set: its data
hash. So anybody can compare what this version makes with theirs. A few kept tables are there too,
for our tests: which rows others have depends on what they asked. A manifest only says what a file
held when it was written; a manifest of other rows is intact as well. So `differences` hashes the
rows themselves.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from marubatsu.pipeline.support.resources import reference_rows
from marubatsu.pipeline.tables.data_set import DataSet, KeptTable, Solution
from marubatsu.pipeline.tables.integrity import Problem
from marubatsu.pipeline.tables.manifest import MANIFEST, Manifest
from marubatsu.pipeline.tables.opened import open_listed

DIFFERENT = "different"
"""The kind of a problem: a file is intact, and its rows are not those that are published."""


class ContentHash(NamedTuple):
    """The content of one file; the one without a file has the data hash of the data set."""

    game: str
    part: str  # tables, solution, answers or proofs
    file: str
    rows: int
    content: str


@cache
def published() -> frozenset[ContentHash]:
    """Read every published content hash."""
    return frozenset(
        ContentHash(row["game"], row["part"], row["file"], int(row["rows"]), row["content"])
        for row in reference_rows("content_hashes")
    )


def published_of(data_set: DataSet) -> dict[str, str]:
    """Return the published hashes of the files of a data set; empty when there are none.

    A kept table has none: its rows need not be those of another.
    """
    if isinstance(data_set, KeptTable):
        return {}
    place = data_set.game.name, data_set.part or "tables"
    return {
        row.file: row.content for row in published() if row.file and (row.game, row.part) == place
    }


def differences(data_set: DataSet, problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield the files whose rows are not those that are published, besides those with problems.

    Tables may be fewer, as `tree` makes them; a solution has exactly the published files. The
    caller holds the lock. Raises DataError when a file is damaged meanwhile.
    """
    bad = {problem.path for problem in problems}
    hashes = published_of(data_set)
    manifest = data_set.manifest() if hashes and data_set.path(MANIFEST) not in bad else None
    if manifest is None:
        return
    names = manifest.files.keys() & hashes.keys()
    if isinstance(data_set, Solution) and not bad:
        names = manifest.files.keys() | hashes.keys()
    for name in sorted(names):
        path = data_set.path(name)
        if path not in bad:
            reason = _difference(data_set, manifest, name, hashes.get(name))
            if reason:
                yield Problem(DIFFERENT, path, reason)


def _difference(
    data_set: DataSet, manifest: Manifest, name: str, expected: str | None
) -> str | None:
    import pyarrow as pa

    from marubatsu.pipeline.tables.parquet import content_hash

    if name not in manifest.files:
        return "it is published, and the manifest does not list it"
    if expected is None:
        return "no such file is published"
    file = open_listed(data_set, manifest, name)
    try:
        content = content_hash(file.rows())
    except (pa.ArrowException, TypeError, ValueError) as error:
        return f"its rows cannot be read: {error}"
    if content != expected:
        return f"its rows have the content hash {content[:12]}…, published is {expected[:12]}…"
    return None
