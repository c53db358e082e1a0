"""The problems of the files of data sets: by manifests, by published hashes, by checksums.

DuckDB reads damaged Parquet without noticing, so every reader of tables compares the hashes first:
`require_intact` before every query, `verify` together with all other checks.

A manifest only says what a file held when it was written; a manifest of other rows is intact as
well. So `differences` hashes the rows themselves, and compares them with ``content_hashes.csv``. It
has a row for each file of some games, and one for each data set: its data hash. So anybody can
compare what this version makes with theirs. A few kept tables are there too, for our tests: which
rows others have depends on what they asked. The checksums of a published folder need no marubatsu
to be compared.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from marubatsu.pipeline.stages.staleness import staleness
from marubatsu.pipeline.stages.usable import open_listed, require_intact
from marubatsu.pipeline.support.cures import Cure
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.progress import Advance
from marubatsu.pipeline.support.resources import file_sha256, read_whole, reference_rows
from marubatsu.pipeline.tables.data_set import (
    COMPACT,
    PARTIAL,
    PARTS,
    DataSet,
    KeptTable,
    Part,
    Solution,
    Unfinished,
    not_built,
)
from marubatsu.pipeline.tables.integrity import Problem, ProblemKind, damages
from marubatsu.pipeline.tables.manifest import DICTIONARY, MANIFEST, Manifest
from marubatsu.pipeline.tables.open_file import Opened
from marubatsu.pipeline.tables.schemas import TABLES

NOT_DATA = {"README.md", ".gitignore", ".DS_Store"}  # files that may lie among the data
_OURS = {DICTIONARY, *(table.file for table in TABLES.values())}  # files of tables


def verify(data_set: DataSet, progress: Advance = lambda share, note="": None) -> list[Problem]:
    """List every problem of one data set. The caller holds the lock.

    Raises MissingError, which says how to make the game, where its folder is empty.
    """
    try:
        manifest = data_set.manifest()
    except DataError as error:
        why = error.facts.get("why", error)
        return [Problem("damaged", data_set.path(MANIFEST), str(why))]
    problems = []
    if manifest is None:
        names = {path.name for path in _files(data_set)} - NOT_DATA
        if not names and not isinstance(data_set, Part):
            raise not_built(data_set)
        if isinstance(data_set, Part) or any(name.removesuffix(PARTIAL) in _OURS for name in names):
            reason = "it was never built to the end, or lost it"
            problems.append(Problem("missing", data_set.path(MANIFEST), reason))
        manifest = Manifest(data_set.game.notation, "", {})
    elif not manifest.files:
        problems.append(Problem("damaged", data_set.path(MANIFEST), "it lists no file"))
    problems += damages(data_set, manifest, progress)
    bad = {problem.path for problem in problems}
    for name in manifest.files:
        stale = staleness(data_set, manifest, name)
        if stale and data_set.path(name) not in bad:
            problems.append(Problem("stale", data_set.path(name), stale.reason))
    if kind := data_set.wrong_dictionary(manifest):
        reason = "this version describes the tables in it"
        problems.append(Problem(kind, data_set.path(DICTIONARY), reason))
    expected = {MANIFEST, DICTIONARY, COMPACT, *manifest.files, *NOT_DATA}
    problems += _alien(data_set, expected)
    return sorted(problems, key=lambda problem: problem.path)


def _alien(data_set: DataSet, expected: set[str]) -> Iterator[Problem]:
    for path in _files(data_set):
        name = str(path.relative_to(data_set.folder))
        if name not in expected:
            kind: ProblemKind = "unknown"
            reason = "the manifest does not list it"
            if name == Unfinished.part:
                unfinished = Unfinished(data_set.root, data_set.game)
                kind, reason = "unfinished", f"its solution is being made: {unfinished.state}"
            elif name.endswith(PARTIAL):
                reason = "left by an interrupted command"
            yield Problem(kind, path, reason)


def _files(data_set: DataSet) -> Iterator[Path]:
    """List the files in the folder of a data set, except those of its parts."""
    try:
        paths = sorted(data_set.folder.iterdir())
    except FileNotFoundError:  # It was there when it was locked.
        raise not_built(data_set) from None
    for path in paths:
        if isinstance(data_set, Solution) and path.is_dir():
            yield from sorted(path.iterdir()) or [path]
        elif path.name not in [part.part for part in PARTS]:
            yield path


def cure(data_set: DataSet, problems: list[Problem]) -> str:
    """Say what to do about the problems of a data set."""
    kinds = {problem.kind for problem in problems}
    if kinds == {"unfinished"}:
        return str(Unfinished(data_set.root, data_set.game).way_on)
    if kinds == {"unknown"}:
        return "remove the unknown files or move them away"
    if kinds == {"stale"}:
        return str(data_set.cure("renew"))
    if "different" in kinds:
        return f"remove the different files, and {data_set.cure()}"
    return str(data_set.cure())


def require_sound(data_set: DataSet, problems: list[Problem] | None = None) -> Opened:
    """Open a data set that has no problems; by default they are those that `verify` finds.

    Raises DataError, naming every bad file, when it has some, or when nothing is built.
    The caller holds the lock.
    """
    problems = verify(data_set) if problems is None else problems
    if problems:
        raise DataError("\n".join([*map(str, problems), cure(data_set, problems)]))
    return require_intact(data_set)


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


def differences(
    data_set: DataSet, problems: Sequence[Problem], progress: Advance = lambda share, note="": None
) -> Iterator[Problem]:
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
    for number, name in enumerate(sorted(names)):
        progress(number / len(names), f"rows of {data_set.game.name}")
        path = data_set.path(name)
        if path not in bad:
            reason = _difference(data_set, manifest, name, hashes.get(name))
            if reason:
                yield Problem("different", path, reason)


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


SUMS = "SHA256SUMS"
"""The checksums of a published folder: ``sha256sum -c SHA256SUMS`` compares all files."""

CURE = Cure("publish")
"""What to do about the problems of a published folder."""

_LINE = re.compile(r"([0-9a-f]{64})  ([\w.=-]+(?:/[\w.=-]+)*)", re.ASCII)


def render_sums(sums: Mapping[str, str]) -> bytes:
    """Write the SHA-256 of files by their names, sorted."""
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums)).encode()


def read_sums(folder: Path) -> dict[str, str]:
    """Read the SHA-256 of the files of a published folder, by their names in it.

    Raises OSError when the list cannot be read, ValueError when it is none or leads elsewhere.
    """
    text = read_whole(folder / SUMS).decode("ascii")
    lines = [_LINE.fullmatch(line) for line in text.split("\n")[:-1]]
    sums = {line[2]: line[1] for line in lines if line}
    leads_elsewhere = any(".." in PurePosixPath(name).parts for name in sums)
    if leads_elsewhere or render_sums(sums) != text.encode():
        raise ValueError(f"it is not a list of checksums as {SUMS} has them")
    return sums


def listed_files(folder: Path) -> list[str]:
    """Return the names of all files of a published folder. Raises OSError or ValueError."""
    return [*read_sums(folder), SUMS]


def sum_problems(folder: Path) -> Iterator[Problem]:
    """Compare every listed file of a folder with its checksum; nothing if it has no list."""
    if not (folder / SUMS).exists():
        return
    try:
        sums = read_sums(folder)
    except (OSError, ValueError) as error:
        yield Problem("damaged", folder / SUMS, getattr(error, "strerror", None) or str(error))
        return
    for name, expected in sums.items():
        path = folder / name
        try:
            _, actual = file_sha256(path)
        except FileNotFoundError:
            yield Problem("missing", path, f"{SUMS} lists it")
            continue
        except OSError as error:
            yield Problem("damaged", path, f"cannot be read: {error.strerror}")
            continue
        if actual != expected:
            reason = f"has sha256 {actual[:12]}…, {SUMS} says {expected[:12]}…"
            yield Problem("damaged", path, reason)
