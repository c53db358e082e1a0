"""The problems of the files of the data sets, file by file.

DuckDB reads damaged Parquet without noticing, so every reader of tables compares the hashes first:
`require_intact` before every query, `verify` together with all other checks.
"""

from collections.abc import Iterator
from pathlib import Path

from marubatsu.pipeline.checking.published import DIFFERENT
from marubatsu.pipeline.stages.staleness import staleness
from marubatsu.pipeline.stages.usable import require_intact
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.progress import Advance
from marubatsu.pipeline.tables.data_set import (
    COMPACT,
    PARTIAL,
    PARTS,
    DataSet,
    Part,
    Solution,
    Unfinished,
    not_built,
)
from marubatsu.pipeline.tables.integrity import Problem, damages
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
        why = error.facts.get("why", error.problem)
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
    problems += [
        Problem(kind, data_set.path(name), "this version describes the tables in it")
        for kind, name in data_set.wrong_descriptions(manifest)
    ]
    expected = {MANIFEST, DICTIONARY, COMPACT, *manifest.files, *NOT_DATA}
    problems += _alien(data_set, expected)
    return sorted(problems, key=lambda problem: problem.path)


def _alien(data_set: DataSet, expected: set[str]) -> Iterator[Problem]:
    for path in _files(data_set):
        name = str(path.relative_to(data_set.folder))
        if name not in expected:
            kind, reason = "unknown", "the manifest does not list it"
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
    if DIFFERENT in kinds:
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
