"""What is wrong with the files of the data sets, file by file.

DuckDB reads damaged Parquet without noticing, so whoever reads tables first compares the
hashes: `require_intact` before every query, `verify` with everything else besides.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from engine.game import Game, GameError
from pipeline.errors import DataError
from pipeline.manifest import FILE as MANIFEST
from pipeline.manifest import Entry, Manifest
from pipeline.store import PARTIAL, DataSet, file_sha256, near, not_built, rebuild_hint

_NOT_DATA = {"README.md", ".gitignore", ".DS_Store"}
"""Files that may lie among the data."""


class Problem(NamedTuple):
    """One file that is not as it should be."""

    kind: str  # damaged, missing, stale or foreign
    path: Path
    reason: str

    def __str__(self) -> str:
        """Say it in a sentence."""
        return f"{near(self.path)} is {self.kind}: {self.reason}"


def damages(data_set: DataSet, manifest: Manifest) -> Iterator[Problem]:
    """Compare every file of a data set with its manifest: size and SHA-256."""
    for name, entry in manifest.files.items():
        path = data_set.path(name)
        try:
            size, sha256 = file_sha256(path)
        except FileNotFoundError:
            yield Problem("missing", path, "the manifest lists it")
        except OSError as error:
            yield Problem("damaged", path, f"cannot be read: {error.strerror}")
        else:
            if size != entry.bytes:
                reason = f"has {size:,} bytes, the manifest says {entry.bytes:,}"
                yield Problem("damaged", path, reason)
            elif sha256 != entry.sha256:
                reason = f"has sha256 {sha256[:12]}…, the manifest says {entry.sha256[:12]}…"
                yield Problem("damaged", path, reason)


def require_intact(data_set: DataSet) -> Manifest:
    """Return the manifest of a data set whose files are all as it says.

    Raises DataError, naming the first bad file, when they are not, or when nothing is built.
    The caller holds the lock.
    """
    manifest = data_set.manifest()
    if manifest is None:
        raise not_built(data_set)
    for problem in damages(data_set, manifest):
        raise DataError(f"{problem}; {rebuild_hint(data_set.game)}")
    return manifest


def verify(data_set: DataSet) -> list[Problem]:
    """List everything wrong with one data set. The caller holds the lock."""
    try:
        manifest = data_set.manifest()
    except DataError as error:
        return [Problem("damaged", data_set.path(MANIFEST), str(error))]
    problems = []
    if manifest is None:
        reason = "it was never built to the end, or lost it"
        problems.append(Problem("missing", data_set.path(MANIFEST), reason))
        manifest = Manifest(data_set.game.notation, "", {})
    problems += damages(data_set, manifest)
    bad = {problem.path for problem in problems}
    for name, entry in manifest.files.items():
        why = _stale(data_set.game, manifest, name, entry)
        if why and data_set.path(name) not in bad:
            problems.append(Problem("stale", data_set.path(name), why))
    for path in sorted(data_set.folder.iterdir()):
        if path.name not in {MANIFEST, *manifest.files, *_NOT_DATA}:
            interrupted = path.name.endswith(PARTIAL)
            reason = (
                "left by an interrupted build; the next build removes it"
                if interrupted
                else "the manifest does not list it"
            )
            problems.append(Problem("foreign", path, reason))
    return sorted(problems, key=lambda problem: problem.path)


def cure(data_set: DataSet, problems: list[Problem]) -> str:
    """Say what to do about the problems of a data set."""
    if all(problem.kind == "foreign" for problem in problems):
        return "remove the foreign files or move them away"
    return rebuild_hint(data_set.game)


def require_sound(data_set: DataSet) -> Manifest:
    """Return the manifest of a data set with which nothing at all is wrong.

    Raises DataError, naming every file, when something is, or when nothing is built.
    The caller holds the lock.
    """
    problems = verify(data_set)
    manifest = None if problems else data_set.manifest()
    if manifest is None:
        raise DataError("\n".join([*map(str, problems), cure(data_set, problems)]))
    return manifest


def _stale(game: Game, manifest: Manifest, name: str, entry: Entry) -> str | None:
    """Say in which way a file is older than the code or the inputs it depends on."""
    from pipeline.stages import stages_of

    stage = next((s for s in stages_of(game) if s.table.file == name), None)
    if stage is None:
        return f"this version makes no such table for {game.name}"
    if entry.schema != stage.table.version(game):
        return "its table is declared otherwise now"
    if entry.code != stage.code_fingerprint():
        return "it was built by other code"
    for table, content in entry.inputs.items():
        source = manifest.files.get(f"{table}.parquet")
        if source is None or source.content != content:
            return f"it was built from another {table}"
    return None


def data_sets(root: Path) -> tuple[list[DataSet], list[Problem]]:
    """List the data sets under a root, and whatever else lies there as foreign."""
    found, problems = [], []
    for path in sorted(root.iterdir()) if root.is_dir() else []:
        try:
            game = Game.parse(path.name)
        except GameError:
            if path.name not in _NOT_DATA:
                problems.append(Problem("foreign", path, "its name is not the name of a game"))
            continue
        if not path.is_dir():
            problems.append(Problem("foreign", path, "it is not a folder"))
        elif not any(path.iterdir()):
            continue  # What a build leaves that was stopped before it made anything.
        elif path.name != game.name:
            reason = f"the folder of {game.name} is called {game.name}"
            problems.append(Problem("foreign", path, reason))
        else:
            found.append(DataSet(root, game))
    return found, problems
