"""The data sets that readers hold open: files that were compared with their manifests."""

import resource
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.support.errors import DamagedError, DataError
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import PARTS, DataSet, Saved, Solution, not_built
from marubatsu.pipeline.tables.integrity import Problem, file_or_problem
from marubatsu.pipeline.tables.manifest import Manifest, is_part, table_of
from marubatsu.pipeline.tables.open_file import Opened, OpenFile

MOST_COPIED = 64_000_000
"""The most bytes of a data set that readers copy into memory."""

_USUAL = 1024  # files that a process may open on most systems
_OTHERS = 64  # files that a process needs besides those of a data set


def open_listed(data_set: DataSet, manifest: Manifest, name: str) -> OpenFile:
    """Open a file of a data set, and keep it open. Raises DamagedError when it is damaged."""
    if data_set.opened is not None:
        return data_set.opened[data_set.part].files[name]
    file = file_or_problem(data_set, manifest, name, is_copied=manifest.size <= MOST_COPIED)
    if isinstance(file, Problem):
        raise DamagedError(str(file), data_set.cure(), game=data_set.game.name, path=file.path)
    return file


def require_intact(data_set: DataSet, tables: Container[str] | None = None) -> Opened:
    """Open a data set whose files all match its manifest, or only the files of some tables.

    Raises DataError, naming the first bad file, when one does not, or when nothing is built.
    The caller holds the lock.
    """
    manifest = data_set.manifest()
    if manifest is None:
        raise not_built(data_set)
    names = [name for name in manifest.files if tables is None or table_of(name) in tables]
    allow_open(data_set, len(names))
    return Opened(manifest, {name: open_listed(data_set, manifest, name) for name in names})


def allow_open(data_set: DataSet, files: int) -> None:
    """Let this process open so many files more. Raises DataError when the system does not."""
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = max(usual, _USUAL + files)
    with suppress(ValueError, OSError):
        allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed != resource.RLIM_INFINITY and allowed < files + _OTHERS:
        raise DataError(
            f"{near(data_set.folder)} has {files:,} files, and a process may open {allowed:,} "
            "here: raise the limit of the system (ulimit -Hn)"
        )


def open_parts(data_set: DataSet, require: Callable[[DataSet], Opened]) -> Mapping[str, Opened]:
    """Open the tables of a game and its parts, where they are there.

    Raises DataError when none is there, and the errors of ``require``. The caller holds the lock.
    """
    if data_set.opened is not None:
        return data_set.opened
    parts = [part for part in parts_of(data_set.root, data_set.game) if part.has_manifest]
    return {part.part: require(part) for part in parts or [data_set]}


@contextmanager
def require_unchanged(opened: Mapping[str, Opened]) -> Iterator[None]:
    """Raise DamagedError when a file was changed by the end of the block, instead of all else."""
    try:
        yield
    finally:
        for part in opened.values():
            for file in part.files.values():
                file.require_unchanged()


def unreadable(data_set: DataSet, opened: Mapping[str, Opened]) -> str:
    """Name the first file whose rows Arrow cannot read, the reason and the cure; "" for none.

    Files that are too large to be copied are left out: to read them may take minutes.
    """
    for part in (DataSet, *PARTS):
        for file in opened[part.part].files.values() if part.part in opened else ():
            if not file.is_copied:
                continue
            try:
                file.rows()
            except DamagedError as error:
                return f"{error}; {part(data_set.root, data_set.game).cure()}"
    return ""


def tables_of(opened: Mapping[str, Opened]) -> frozenset[str]:
    """Return the names of a game's open tables, and ``solution`` for those of a solution."""
    return frozenset(
        part if part == Solution.part else table_of(file)
        for part in opened
        if part != Saved.part
        for file in opened[part].files
    )


def parts_of(root: Path, game: Game) -> list[DataSet]:
    """List the data sets of a game: its tables, and its parts, where files exist."""
    tables, parts = DataSet(root, game), [part(root, game) for part in PARTS]
    try:
        names = {path.name for path in tables.folder.iterdir()} if tables.folder.is_dir() else set()
    except OSError as error:
        raise DataError(f"cannot read {near(tables.folder)}: {error.strerror}") from error
    data_sets = [tables] if names - {part.part for part in parts} else []
    return [*data_sets, *(part for part in parts if part.part in names)]


def files_of_tables(opened: Mapping[str, Opened]) -> dict[str, list[OpenFile]]:
    """Return the files of each table, without the parts of a solution: ours, then of saved AIs."""
    files: dict[str, list[OpenFile]] = {}
    for part in (DataSet.part, *(each.part for each in PARTS)):
        for name, file in opened[part].files.items() if part in opened else ():
            if not is_part(name):
                files.setdefault(table_of(name), []).append(file)
    return files


def snapshot(data_set: DataSet, require: Callable[[DataSet], Opened]) -> DataSet:
    """Return a data set that stays as it is, whatever is built, saved or solved meanwhile.

    Builds need not wait for it. Its files are open as long as it exists. Raises DataError when
    nothing is there, and the errors of ``require``.
    """
    with data_set.lock(write=False):
        return DataSet(data_set.root, data_set.game, open_parts(data_set, require))
