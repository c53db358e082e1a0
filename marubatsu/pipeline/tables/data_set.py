"""The files of the data sets: their folders, their locks, how they are published.

A data set is a folder ``<root>/<game>/`` with one Parquet file per table and a manifest. To
publish, every new file is first written under a partial name (``NAME.partial``) and synced; then
all are renamed, the manifest last, and the folder is synced. A process killed before the first
rename leaves the old data set. A process killed between the renames leaves files that do not
match the manifest; every reader detects this and the next build replaces them. Builders hold an
exclusive lock on the folder, readers a shared one while they open its files, so no reader opens
files between two renames. Open files keep their content.
"""

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from errno import EACCES, EINVAL, EISDIR, ELOOP, ENOTDIR, EPERM, EROFS
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from marubatsu.engine.rules.game import Game, GameError, require_named
from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import DamagedError, DataError, MissingError, UsageError
from marubatsu.pipeline.support.events import step
from marubatsu.pipeline.support.progress import say_waiting
from marubatsu.pipeline.support.resources import data_root, near, read_whole, sync
from marubatsu.pipeline.support.resources import opened as opened_file
from marubatsu.pipeline.tables.manifest import (
    DICTIONARY,
    MANIFEST,
    START,
    Manifest,
    ManifestError,
    dictionary_of,
    parsed,
    wrong_kept,
    wrong_saved,
    wrong_tables,
)
from marubatsu.version import __version__

if TYPE_CHECKING:
    from marubatsu.pipeline.support.cures import Cure, CureKind
    from marubatsu.pipeline.tables.open_file import Opened
    from marubatsu.pipeline.tables.schemas import Table

PARTIAL = ".partial"

COMPACT = "solution.compact"
"""The compact form of a solution, in the folder of its game."""

_WAYS: "Mapping[int | None, CureKind]" = {
    **dict.fromkeys((EACCES, EPERM, EROFS), "other folder"),
    **dict.fromkeys((EINVAL, EISDIR, ELOOP, ENOTDIR), "move away"),
}
"""The cures of errors of the system, by their numbers."""

_UNCHANGED = "the data set that was there before is unchanged"
_Part = TypeVar("_Part", bound="Part")


class DataSet:
    """The folder of one game's tables."""

    part = ""
    """A folder in the game's folder; empty for that folder itself."""

    verb = "built"
    """The word for its state when it is there."""

    after_failed_write = _UNCHANGED
    """What is there then, as a clause."""

    def __init__(
        self, root: Path, game: Game, opened: "Mapping[str, Opened] | None" = None
    ) -> None:
        """Name the folder; read and create nothing.

        ``opened`` are parts of the game that are open already; readers use them instead of the
        folder: see `pipeline.stages.usable.snapshot`. Raises GameError as `require_named` does.
        """
        require_named(game)
        self.root, self.game, self.opened = root, game, opened
        self.folder = root / game.name / self.part

    def sibling(self, kind: type[_Part]) -> _Part:
        """Return a part of the same game, open if this is."""
        return kind(self.root, self.game, self.opened)

    @property
    def has_manifest(self) -> bool:
        """Whether it is there: the manifest is written last."""
        if self.opened is not None:
            return self.part in self.opened
        try:
            return self.path(MANIFEST).exists()
        except OSError as error:
            raise _cannot_read(self.folder, error) from error

    def cure(self, kind: "CureKind" = "remake", ai: str = "") -> "Cure":
        """Return a cure of this data set, by default that of damage."""
        from marubatsu.pipeline.support.cures import Cure  # Most runs need none.

        return Cure(kind, self.game, near(self.root), self.part, ai)

    def path(self, file: str) -> Path:
        """Return the path of a file of the data set."""
        return self.folder / file

    @contextmanager
    def lock(
        self,
        *,
        write: bool,
        on_wait: Callable[[str], None] = say_waiting,
        waiting: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> Iterator[None]:
        """Lock the folder, or that which it is a part of: exclusively to write, shared to read.

        A process that has to wait calls ``on_wait`` first, with the name of the holder, and waits
        inside ``waiting``. What ``on_wait`` raises ends the waiting. What is open already needs no
        lock.
        Raises DataError when the folder does not exist, or cannot be created.
        """
        if self.opened is not None:
            yield
            return
        handle, folder = _opened_folder(self._whole, write=write), self._whole.folder
        kind = fcntl.LOCK_EX if write else fcntl.LOCK_SH
        try:
            with _as_data_error("lock", folder):
                try:
                    fcntl.flock(handle, kind | fcntl.LOCK_NB)
                except BlockingIOError:
                    from marubatsu.pipeline.tables.work_in_progress import UNKNOWN, holder_of

                    on_wait(holder_of(folder) or UNKNOWN)
                    with waiting():
                        fcntl.flock(handle, kind)
                    step("locked", f"got the lock on {near(folder)}", folder=str(folder))
            yield
        finally:
            os.close(handle)

    @property
    def _whole(self) -> "DataSet":
        """The data set that it is a part of, whose folder is locked; itself where it is none."""
        return self

    def manifest(self) -> Manifest | None:
        """Read the manifest; None when there is none. Raises DataError when it is damaged."""
        if self.opened is not None:
            opened = self.opened.get(self.part)
            return opened and opened.manifest
        path = self.path(MANIFEST)
        try:
            manifest = parsed(read_whole(path))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _cannot_read(path, error) from error
        except ManifestError as error:
            raise self.damaged(path, str(error)) from error
        wrong = self._wrong_files(manifest)
        if manifest.game != self.game.notation:
            wrong = f"it belongs to {manifest.game}, expected {self.game.notation}"
        if wrong and manifest.version != __version__:
            wrong += f", and version {manifest.version} of marubatsu wrote it"
        if wrong:
            raise self.damaged(path, wrong)
        return manifest

    def damaged(self, path: Path, why: str) -> DamagedError:
        """Return the error for a damaged file of it."""
        problem = f"{near(path)} is damaged: {why}"
        return DamagedError(problem, self.cure(), game=self.game.name, path=path, why=why)

    def _wrong_files(self, manifest: Manifest) -> str:
        """Say how its files are not those that this version writes here, "" when they are."""
        return wrong_tables(manifest.files)

    def write_partial(self, file: str, data: memoryview) -> None:
        """Write and sync the next version of a file under its partial name.

        What has that name is removed first, so that no link is followed.
        """
        path = self.path(file + PARTIAL)
        with _as_data_error("write", path, self.after_failed_write):
            path.unlink(missing_ok=True)
            with path.open("xb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())

    def write(self, file: str, data: memoryview) -> None:
        """Write and sync a file, replacing the old one; create its folder."""
        path = self.path(file)
        with _as_data_error("write", path, self.after_failed_write):
            path.parent.mkdir(parents=True, exist_ok=True)
        self.write_partial(file, data)
        with _as_data_error("rename", path, self.after_failed_write):
            self.path(file + PARTIAL).replace(path)

    def publish(self, files: list[str], manifest: Manifest) -> None:
        """Rename partial files to their final names, the manifest last."""
        documents = {MANIFEST: manifest.render()}
        if not self.part:  # A part is described with the tables.
            documents = {DICTIONARY: dictionary_of(self.game, manifest), **documents}
        for file, data in documents.items():
            self.write_partial(file, memoryview(data))
        goals = [*files, *documents]
        if blocked := [path for path in map(self.path, goals) if path.is_dir()]:
            raise DataError(f"{near(blocked[0])} is a folder: expected a file; move it away")
        broken: DataSet | None = None  # once some files are new
        for file in goals:
            if file == MANIFEST:  # The renamed tables must be on disk before the manifest is.
                self._sync_folder(broken)
            with _as_data_error("rename", self.path(file + PARTIAL), broken=broken):
                self.path(file + PARTIAL).replace(self.path(file))
            broken = self
        self._sync_folder(broken)
        step("published", f"published {near(self.folder)}", folder=str(self.folder))

    def wrong_dictionary(self, manifest: Manifest) -> Literal["damaged", "missing"] | None:
        """Say what is wrong with the dictionary of the tables; None where nothing is."""
        path = self.path(DICTIONARY)
        if self.part or not manifest.files:
            return None
        with suppress(OSError):
            if read_whole(path) == dictionary_of(self.game, manifest):
                return None
        return "damaged" if path.exists() else "missing"

    def remove_partials(self) -> None:
        """Remove the partial files of this build or of a killed one, not those of outputs."""
        for path in self.folder.glob(f"[!.]*{PARTIAL}"):
            with suppress(OSError):
                path.unlink()

    def _sync_folder(self, broken: "DataSet | None") -> None:
        with _as_data_error("sync", self.folder, broken=broken):
            sync(self.folder)


class Part(DataSet):
    """A folder inside that of a game's tables, whose lock it shares."""

    def remove_partials(self) -> None:
        """Remove the partial files, and the folder where there is no other: it would be damaged."""
        super().remove_partials()
        with suppress(OSError):
            self.folder.rmdir()

    @property
    def _whole(self) -> DataSet:
        return DataSet(self.root, self.game, self.opened)


class _Solved(DataSet):
    verb = "solved"

    def _wrong_files(self, manifest: Manifest) -> str:
        from marubatsu.pipeline.tables.solution_parts import wrong_solution

        rows = {name: entry.rows for name, entry in manifest.files.items()}
        return wrong_solution(self.game, rows)


class Solution(Part, _Solved):
    """The folder of one game's solution, or in its place a file with the compact form."""

    part = "solution"

    @property
    def compact(self) -> Path:
        """The file of the compact form: see `pipeline.solving.compact_file`."""
        return self.folder.with_name(COMPACT)

    @property
    def cure_of_compact(self) -> "Cure":
        """The cure where that file is not as it should be."""
        return self.cure()._replace(part="compact")

    @property
    def is_compact(self) -> bool:
        """Whether only the compact form is there."""
        return not self.has_manifest and self.opened is None and self.compact.exists()

    @property
    def is_solved(self) -> bool:
        """Whether its values are there, in either form."""
        return self.has_manifest or self.is_compact


class Saved(Part):
    """The folder of the AIs that audits have saved, as rows of the tables of AIs."""

    part = "saved"

    def _wrong_files(self, manifest: Manifest) -> str:
        return wrong_saved(manifest.files)


class KeptTable(Part):
    """A folder with one table, which a command keeps: see `pipeline.laboratory`."""

    @property
    def table(self) -> "Table":
        """The declaration of the table, which has the name of the folder."""
        from marubatsu.pipeline.tables.solved_schemas import DECLARED

        return DECLARED[self.part]

    def _wrong_files(self, manifest: Manifest) -> str:
        return wrong_kept(manifest.files, self.table)


class AnswersTable(KeptTable):
    """The folder of the answers of searches of one game."""

    part = "answers"


class ProofsTable(KeptTable):
    """The folder of the proofs of one game's value."""

    part = "proofs"


class TechniquesTable(KeptTable):
    """The folder of the nodes that search techniques visit on one game."""

    part = "techniques"
    verb = "counted"


PARTS = (Solution, Saved, AnswersTable, ProofsTable, TechniquesTable)


class Unfinished(_Solved):
    """The folder of an unfinished solution."""

    part = "solution.partial"
    after_failed_write = "the plies that are done are kept, and the same command goes on from them"

    @property
    def state(self) -> str:
        """The plies that are done, in words."""
        from marubatsu.pipeline.tables.work_in_progress import state_of

        return state_of(self.folder, self.game)

    @property
    def way_on(self) -> "Cure":
        """The cure where nothing works at it: without solving, if there is a compact form."""
        return self.cure("expand" if self.sibling(Solution).compact.exists() else "resume")

    def not_finished(self) -> MissingError:
        """Return the error for a game whose solution is not finished yet."""
        from marubatsu.pipeline.tables.work_in_progress import holder_of

        holder = holder_of(self.folder)
        by, cure = (f" by {holder}", "wait until that ends") if holder else ("", self.way_on)
        problem = f"{self.game.name} is being solved ({self.state}){by}"
        return MissingError(problem, cure, game=self.game.name, path=self.folder)


def _opened_folder(data_set: DataSet, *, write: bool) -> int:
    """Open a folder, which is created to write; return the handle."""
    folder = data_set.folder
    if write:
        with _as_data_error("create", folder, then="everything is unchanged"):
            for kind in (*PARTS, Unfinished):
                part = kind(data_set.root, data_set.game).folder
                # What is removed behind a link would be another data set's.
                if part.is_symlink() or (part.exists() and not part.is_dir()):
                    what = f"{near(part)} is a {'link' if part.is_symlink() else 'file'}"
                    raise DataError(f"{what}: expected a folder of its own; move it away")
            if not folder.exists():
                folder.mkdir(parents=True, exist_ok=True)
                sync(data_set.root)
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        raise not_built(data_set) from None
    except OSError as error:
        raise _cannot_read(folder, error) from error


def _cannot_read(path: Path, error: OSError) -> DataError:
    return DataError(f"cannot read {near(path)}: {error.strerror}", _way_on(error), path=path)


def _way_on(error: OSError) -> "Cure | str":
    from marubatsu.pipeline.support.cures import Cure

    return Cure(_WAYS[error.errno]) if error.errno in _WAYS else ""


def data_around(path: Path) -> Path | None:
    """Return the folder with data in which a path lies, also through links; None if in none."""
    return next(filter(holds_data, Path(os.path.realpath(path)).parents), None)


def checked_root(data: Path | None) -> Path:
    """Return the folder of the data sets: see `data_root`.

    Raises UsageError as that does, and where a game's own data has files: what is built
    would not be found there, and the game would have files of strangers.
    """
    root = data_root(data, os.environ)
    inside = data_around(root / "game")
    if inside is not None:
        raise UsageError(
            f"{quote(str(root))} lies in the data of one game: expected the folder above that, "
            f"{near(inside.parent)}"
        )
    return root


def holds_data(folder: Path) -> bool:
    """Return whether a folder has a manifest, or the name of a game and a part of its data."""
    with suppress(OSError), os.fdopen(opened_file(folder / MANIFEST), "rb") as file:
        if file.read(len(START)) == START:
            return True
    with suppress(GameError):
        Game(folder.name)
        whole = (Path(part.part, MANIFEST) for part in PARTS)
        parts = [*whole, Path(Unfinished.part), Path(COMPACT)]
        return any((folder / part).exists() for part in parts)
    return False


def not_built(data_set: DataSet) -> MissingError:
    """Return the error for a missing data set; a game too large for tables lacks its solution."""
    from marubatsu.engine.rules.size import is_large

    game, root = data_set.game, data_set.root
    has_tables = data_set.part or not is_large(game)
    missing = data_set if has_tables else data_set.sibling(Solution)
    unfinished = Unfinished(root, game)
    if isinstance(missing, _Solved) and unfinished.folder.exists():
        return unfinished.not_finished()
    if not data_set.part or isinstance(data_set, Solution):
        solution = data_set.sibling(Solution)
        if solution.is_compact:
            problem = f"{game.name} is only in its compact form in {near(root)}"
            cure = solution.cure("expand")
            return MissingError(problem, cure, game=game.name, path=missing.folder)
    problem = f"{game.name} is not {missing.verb} in {near(root)}"
    return MissingError(problem, missing.cure("get"), game=game.name, path=missing.folder)


@contextmanager
def _as_data_error(
    action: str, path: Path, then: str = _UNCHANGED, broken: DataSet | None = None
) -> Iterator[None]:
    """Turn an OSError into a DataError; a data set is ``broken`` when only some files are new."""
    try:
        yield
    except OSError as error:
        state = "some files are new already" if broken else then
        problem = f"cannot {action} {near(path)}: {error.strerror or error}; {state}"
        way = broken.cure() if broken else _way_on(error)
        raise DataError(problem, way, path=path) from error
