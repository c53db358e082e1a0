"""What is wrong with the files of the data sets, file by file.

DuckDB reads damaged Parquet without noticing, so whoever reads tables first compares the
hashes: `require_intact` before every query, `verify` with everything else besides.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from engine.game import Game, GameError
from pipeline.errors import DataError
from pipeline.manifest import FILE as MANIFEST
from pipeline.manifest import Entry, Manifest
from pipeline.schemas import SOLUTION
from pipeline.store import PARTIAL, DataSet, Solution, Unfinished, file_sha256, near, not_built

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
        yield from damage(data_set, name, entry)


def damage(data_set: DataSet, name: str, entry: Entry) -> Iterator[Problem]:
    """Compare a file with what the manifest says of it; yield what is wrong, or nothing."""
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
        raise DataError(f"{problem}; {data_set.cure}")
    return manifest


def tables_of(data_set: DataSet, require: Callable[[DataSet], Manifest]) -> frozenset[str]:
    """Return the names of the tables of a game, and ``solution`` where it is solved."""
    tables: set[str] = set()
    parts = [p for p in parts_of(data_set.root, data_set.game) if p.path(MANIFEST).exists()]
    for part in parts or [data_set]:
        manifest = require(part)
        tables |= {SOLUTION.name} if isinstance(part, Solution) else manifest.tables.keys()
    return frozenset(tables)


def verify(data_set: DataSet) -> list[Problem]:
    """List everything wrong with one data set. The caller holds the lock."""
    try:
        manifest = data_set.manifest()
    except DataError as error:
        return [Problem("damaged", data_set.path(MANIFEST), str(error))]
    problems = []
    if manifest is None:
        if any(path.name != Unfinished.part for path in _files(data_set)):
            reason = "it was never built to the end, or lost it"
            problems.append(Problem("missing", data_set.path(MANIFEST), reason))
        manifest = Manifest(data_set.game.notation, "", {})
    problems += damages(data_set, manifest)
    bad = {problem.path for problem in problems}
    for name, entry in manifest.files.items():
        why = _stale(data_set, manifest, name, entry)
        if why and data_set.path(name) not in bad:
            problems.append(Problem("stale", data_set.path(name), why))
    for path in _files(data_set):
        name = str(path.relative_to(data_set.folder))
        if name not in {MANIFEST, *manifest.files, *_NOT_DATA}:
            reason = "the manifest does not list it"
            if name == Unfinished.part:
                reason = (
                    f"left by an interrupted run; `marubatsu solve {data_set.game.name}` goes on"
                )
            elif name.endswith(PARTIAL):
                reason = "left by an interrupted build; the next build removes it"
            problems.append(Problem("foreign", path, reason))
    return sorted(problems, key=lambda problem: problem.path)


def _files(data_set: DataSet) -> Iterator[Path]:
    """List what lies in the folder of a data set, without what belongs to its solution."""
    for path in sorted(data_set.folder.iterdir()):
        if isinstance(data_set, Solution) and path.is_dir():
            yield from sorted(path.iterdir()) or [path]
        elif path.name != Solution.part:
            yield path


def cure(data_set: DataSet, problems: list[Problem]) -> str:
    """Say what to do about the problems of a data set."""
    if all(problem.kind == "foreign" for problem in problems):
        return "remove the foreign files or move them away"
    return data_set.cure


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


def _stale(data_set: DataSet, manifest: Manifest, name: str, entry: Entry) -> str | None:
    """Say in which way a file is older than the code or the inputs it depends on."""
    game = data_set.game
    if isinstance(data_set, Solution):
        from pipeline.solution.files import code

        return None if entry.code == code() else "it was made by other code"
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


def parts_of(root: Path, game: Game) -> list[DataSet]:
    """List the data sets of a game: its tables and its solution, as far as there is something."""
    found: list[DataSet] = []
    tables, solution = DataSet(root, game), Solution(root, game)
    names = {path.name for path in tables.folder.iterdir()} if tables.folder.is_dir() else set()
    if names - {Solution.part}:
        found.append(tables)
    if Solution.part in names:
        found.append(solution)
    return found


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
        elif path.name != game.name and any(path.iterdir()):
            reason = f"the folder of {game.name} is called {game.name}"
            problems.append(Problem("foreign", path, reason))
        else:  # Nothing, where a build was stopped before it made anything.
            found += parts_of(root, game)
    return found, problems
