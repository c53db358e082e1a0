"""What readers open of a data set: nothing that cannot be right.

Every reader asks `require_usable`. Files that cannot be right or readable are refused; those of
saved AIs are left out. Files that other code made are read: most changes of code change no byte,
and hashing the code takes longer than most questions.
Each saved AI has files of its own, `ais.NAME.HASH.parquet` and `ai_moves.NAME.HASH.parquet`, so a
bad file costs one AI. The matches are made from all of them.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace

from marubatsu.pipeline.stages.staleness import inputs_of_matches, staleness
from marubatsu.pipeline.support.errors import DamagedError, DataError, StaleError
from marubatsu.pipeline.support.events import note_once
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import DataSet, Saved
from marubatsu.pipeline.tables.integrity import Problem, file_or_problem
from marubatsu.pipeline.tables.manifest import Manifest, ai_of, table_of
from marubatsu.pipeline.tables.open_file import Opened, OpenFile
from marubatsu.pipeline.tables.opened import allow_open, open_listed, require_intact
from marubatsu.pipeline.tables.schemas import AI_MOVES, AIS, MATCHES


def warn_of_stale(
    data_set: DataSet, manifest: Manifest, files: Iterable[str], *, renewed: str = ""
) -> bool:
    """Say, once in a run, that files are stale, and return whether some are.

    Raises DataError when one cannot be used, unless what it holds is ``renewed``: then that says
    how, in place of the command that renews it, and files of other code are stale too.
    """
    reasons = {
        name: staleness(data_set, manifest, name, compares_code=bool(renewed)) for name in files
    }
    stale = {name: why for name, why in reasons.items() if why is not None}
    if not stale:
        return False
    refused = {name: why for name, why in stale.items() if not why.is_usable}
    (name, why), *others = (refused or stale).items()
    more = ", and another file is stale" if len(others) == 1 else ""
    if len(others) > 1:
        more = f", and {len(others)} more files are stale"
    place = f"{data_set.game.name}/{data_set.part}".rstrip("/")
    game, files = data_set.game.name, list(stale)
    error = StaleError(
        f"{place}/{name} is stale: {why.reason}{more}", renewed or data_set.cure("renew"),
        game=game, files=files,
    )  # fmt: skip
    if refused and not renewed:
        raise error
    note_once("stale", place, str(error), game=game, files=files)
    return True


def require_usable(data_set: DataSet, tables: Collection[str] | None = None) -> Opened:
    """Open a data set, or some tables, as `require_intact` does; say when some files are stale.

    Of saved AIs it opens the usable ones; all files of an AI decide that. Raises DataError as
    `require_intact` does, and when a stale file cannot be used. The caller holds the lock.
    """
    if not isinstance(data_set, Saved):
        opened = require_intact(data_set, tables)
        warn_of_stale(data_set, opened.manifest, opened.files)
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
    if stale and stale.dependency == "columns":
        return "has other columns than this version declares"
    if stale and stale.dependency == "versions":
        return stale.reason.removeprefix("it ")
    if table_of(name) != MATCHES.name and ai_of(name) in {ai.name for ai in all_ais()}:
        return "has the name of a built-in AI"
    return ""


def _wrong_choices(file: OpenFile) -> str:
    """Say why the choices of a saved AI make no sense; "" when they do."""
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
