"""What readers open of a data set, and hold open: nothing that cannot be right.

DuckDB reads damaged Parquet without noticing, so files are compared with their manifest first
(`require_intact`). Every reader asks `require_usable`. Files that cannot be right or readable are
refused; those of saved AIs are left out. Files that other code made are read: most changes of code
change no byte, and hashing the code takes longer than most questions. Each saved AI has files of
its own, `ais.NAME.HASH.parquet` and `ai_moves.NAME.HASH.parquet`, so a bad file costs one AI. The
matches are made from all of them.
"""

import resource
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import counted
from marubatsu.pipeline.stages.staleness import Stale, inputs_of_matches, staleness
from marubatsu.pipeline.support.errors import DamagedError, DataError, StaleError
from marubatsu.pipeline.support.events import note_once
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import PARTS, DataSet, Saved, Solution, not_built
from marubatsu.pipeline.tables.integrity import Problem, file_or_problem
from marubatsu.pipeline.tables.manifest import MANIFEST, Manifest, ai_of, is_part, table_of
from marubatsu.pipeline.tables.open_file import Opened, OpenFile
from marubatsu.pipeline.tables.schemas import AI_MOVES, AIS, MATCHES

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
            f"{near(data_set.folder)} has {counted(files, 'file')}, and a process may open "
            f"{allowed:,} here: raise the limit of the system (ulimit -Hn)"
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


def stale_files(
    data_set: DataSet, manifest: Manifest, files: Iterable[str], *, compares_code: bool = False
) -> dict[str, Stale]:
    """Return why files are stale, by their names; first those that cannot be used."""
    reasons = {
        name: staleness(data_set, manifest, name, compares_code=compares_code) for name in files
    }
    stale = [(name, why) for name, why in reasons.items() if why is not None]
    return dict(sorted(stale, key=lambda item: item[1].is_usable))


def stale_error(data_set: DataSet, stale: Mapping[str, Stale], cure: object) -> StaleError:
    """Return the error that names the first of some stale files."""
    (name, why), *others = stale.items()
    more = f", and {counted(len(others), 'other file')} too" if others else ""
    game, place = data_set.game.name, Path(data_set.game.name, data_set.part, name)
    return StaleError(f"{place} is stale: {why.reason}{more}", cure, game=game, files=list(stale))


def require_fresh(data_set: DataSet, manifest: Manifest, files: Iterable[str]) -> None:
    """Raise StaleError where a stale file cannot be used; say once in a run that others are stale.

    Files that only other code made are not stale here.
    """
    stale = stale_files(data_set, manifest, files)
    if not stale:
        return
    error = stale_error(data_set, stale, data_set.cure("renew"))
    if not all(why.is_usable for why in stale.values()):
        raise error
    note_once("stale", str(data_set.folder), str(error), **error.facts)


def require_usable(data_set: DataSet, tables: Collection[str] | None = None) -> Opened:
    """Open a data set, or some tables, as `require_intact` does; say when some files are stale.

    Of saved AIs it opens the usable ones; all files of an AI decide that. Raises DataError as
    `require_intact` does, and when a stale file cannot be used. The caller holds the lock.
    """
    if not isinstance(data_set, Saved):
        opened = require_intact(data_set, tables)
        require_fresh(data_set, opened.manifest, opened.files)
        return opened
    if tables is None or {AIS.name, AI_MOVES.name, MATCHES.name}.intersection(tables):
        return usable(data_set)
    return Opened(Manifest(data_set.game.notation, "", {}), {})


def usable(saved: Saved, *, warns: bool = True) -> Opened:
    """Open the files of the saved AIs that can be used; say once in a run which cannot, and why.

    An AI is left out when one of its files is damaged, missing, or of another version, or when its
    choices mean nothing. Matches are left out unless they are those of the AIs that remain, with
    ours of today. The caller holds the lock.
    """
    place, messages = near(saved.folder), []
    whole = Manifest(saved.game.notation, "", {})
    try:
        whole = saved.manifest() or whole
        if not whole.files and any(saved.folder.glob(f"{AIS.name}.*")):
            messages.append(
                f"all saved AIs are left out: {place / MANIFEST} lists none; put the right file "
                f"back, or {saved.cure('remake')}"
            )
    except DataError as error:
        messages.append(f"all saved AIs are left out: {error}")
    allow_open(saved, len(whole.files))
    opened = {name: _opened(saved, whole, name) for name in whole.files}
    bad = {
        ai_of(name): name for name, why in opened.items() if isinstance(why, str) and ai_of(name)
    }
    messages += [
        f"the saved AI {ai} is left out: {place / name} {opened[name]}; {saved.cure('replace', ai)}"
        for ai, name in bad.items()
    ]
    good = [name for name in whole.files if ai_of(name) and ai_of(name) not in bad]
    kept = replace(whole, files={name: whole.files[name] for name in good})
    inputs = inputs_of_matches(saved, kept)
    matches = [
        name
        for name, file in opened.items()
        if not ai_of(name) and not isinstance(file, str) and whole.files[name].inputs == inputs
    ]
    if good and inputs is not None and not matches:
        messages.append(
            f"the matches of the saved AIs in {place} are left out: they are damaged, or not with "
            f"the AIs of today; {saved.cure('match')}"
        )
    if messages and warns:
        note_once("left out", str(place), "\n".join(messages), game=saved.game.name)
    names = [*good, *(matches if good else [])]
    files = {name: file for name in names if not isinstance(file := opened[name], str)}
    return Opened(replace(whole, files={name: whole.files[name] for name in files}), files)


def _opened(saved: Saved, manifest: Manifest, name: str) -> OpenFile | str:
    """Open a file of saved AIs, or say why it cannot be used."""
    if reason := _other_version(saved, manifest, name):
        return reason
    if saved.opened is not None:
        return open_listed(saved, manifest, name)
    file = file_or_problem(saved, manifest, name, is_copied=True)
    if isinstance(file, Problem):
        return f"is {file.kind}: {file.reason}"
    return (_wrong_choices(file) if table_of(name) == AI_MOVES.name else "") or file


def _other_version(saved: Saved, manifest: Manifest, name: str) -> str:
    """Say how another version of marubatsu wrote a file of saved AIs; "" when it did not."""
    from marubatsu.engine.search.roster import all_ais

    stale = staleness(saved, manifest, name)
    if stale and stale.dependency in ("columns", "versions"):
        return f"is stale: {stale.reason}"
    if table_of(name) != MATCHES.name and ai_of(name) in {ai.name for ai in all_ais()}:
        return "has the name of a built-in AI"
    return ""


def _wrong_choices(file: OpenFile) -> str:
    import numpy as np

    from marubatsu.engine.ais.policy import require_chances
    from marubatsu.engine.tree.positions import enumerate_positions
    from marubatsu.pipeline.tables.parquet import numbers

    assert file.declared is not None
    try:
        with file.reading():
            moves = file.rows(["probability", "is_candidate"])
            chances = numbers(moves["probability"])
            require_chances(enumerate_positions(file.declared.game), chances)
            if (~np.array(moves["is_candidate"].to_pylist(), np.bool_) & (chances > 0)).any():
                raise ValueError("it chooses a move that is no candidate")
    except DamagedError as error:
        return f"is damaged: {error.__cause__}"
    return ""
