"""What the files of data sets depend on, and how a file is older than that.

A file depends on the columns of its table, on the content of its inputs, and on what decides its
rows. Where rows are quickly made again, that is a fingerprint of code; where they took hours, it is
integer versions. Writers note it in the manifest (`made_by`), and `staleness` compares it later.

Every reader asks `require_usable`. Files that cannot be right or readable are refused; those of
saved AIs are left out. Files that other code made are read: most changes of code change no byte,
and hashing the code takes longer than most questions. `build`, `verify` and `games` tell of them.
Each saved AI has files of its own, `ais.NAME.HASH.parquet` and `ai_moves.NAME.HASH.parquet`, so a
bad file costs one AI. The matches are made from all of them.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import NamedTuple

from marubatsu.pipeline.stages.stage import code_of_rows, fingerprint, stages_of
from marubatsu.pipeline.support.errors import DamagedError, DataError, StaleError
from marubatsu.pipeline.support.events import note_once
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import (
    AnswersTable,
    DataSet,
    ProofsTable,
    Saved,
    Solution,
    TechniquesTable,
)
from marubatsu.pipeline.tables.integrity import (
    Problem,
    allow_open,
    file_or_problem,
    open_listed,
    require_intact,
)
from marubatsu.pipeline.tables.manifest import Manifest, ai_of, table_of
from marubatsu.pipeline.tables.open_file import Opened, OpenFile
from marubatsu.pipeline.tables.schemas import AI_MOVES, AIS, MATCHES, TABLES, Table

FORMAT, RULES = 4, 1
"""The versions of a solution's format and rules; raise one when it changes the bytes.

FORMAT: columns, encodings, keys, rows of a part. RULES: positions, scores, distances, orbits. Other
edits leave every solution valid, also an unfinished one.
"""

VERSION = f"format {FORMAT}, rules {RULES}"

ANSWERS_VERSION, PROOFS_VERSION, SAVED_VERSION = 1, 1, 2
"""The versions of what the rows of kept and saved tables mean; raise one when it changes.

Which class a row is about, what a value or a move says of it. Which rows there are, and how many
nodes a search visited, is no part of that. Scores and distances follow RULES.
"""

COUNTING = (
    "engine.rules", "engine.tree", "engine.boards", "engine.ais", "engine.search",
    "engine.large.compiled", "engine.kernels", "pipeline.laboratory.technique_grid",
)  # fmt: skip
"""The rooms and modules whose code decides the rows of table ``techniques``."""


class Origin(NamedTuple):
    """What this version would make a file from, besides its inputs."""

    table: Table | None  # None where the versions cover the columns too
    versions: str  # "" where a fingerprint of code decides
    fingerprint: Callable[[], str] = lambda: ""

    @property
    def made_by(self) -> str:
        """What the manifest notes: the versions, or the fingerprint."""
        return self.versions or self.fingerprint()


def origin_of(data_set: DataSet, name: str) -> Origin | None:
    """Return what a file is made from; None for a file that this version does not make."""
    match data_set:
        case Solution():
            return Origin(None, VERSION)
        case AnswersTable():
            return Origin(data_set.table, f"answers {ANSWERS_VERSION}, rules {RULES}")
        case ProofsTable():
            return Origin(data_set.table, f"proofs {PROOFS_VERSION}, rules {RULES}")
        case TechniquesTable():
            return Origin(data_set.table, "", lambda: fingerprint(code_of_rows(*COUNTING)))
        case Saved():
            return Origin(TABLES.get(table_of(name)), f"saved {SAVED_VERSION}, rules {RULES}")
    stage = next((s for s in stages_of(data_set.game) if s.table.file == name), None)
    return None if stage is None else Origin(stage.table, "", lambda: stage.made_by)


def made_by(data_set: DataSet, name: str) -> str:
    """Return what the manifest notes of a file made now. Raises LookupError for no such file."""
    origin = origin_of(data_set, name)
    if origin is None:
        raise LookupError(name)
    return origin.made_by


class Stale(NamedTuple):
    """Why a file is stale, and whether it can be used nevertheless."""

    reason: str
    is_usable: bool


def staleness(
    data_set: DataSet, manifest: Manifest, name: str, *, compares_code: bool = True
) -> Stale | None:
    """Say how a file is older than what it depends on; None when it is not."""
    game, entry, origin = data_set.game, manifest.files[name], origin_of(data_set, name)
    if origin is None:
        return Stale(f"this version makes no such table for {game.name}", True)
    if origin.table is not None and entry.schema != origin.table.version(game):
        return Stale("its table is declared otherwise now", False)
    if isinstance(data_set, Saved):
        is_other = table_of(name) == MATCHES.name and entry.inputs != inputs_of_matches(
            data_set, manifest
        )
        why = "it was made from the choices of other AIs" if is_other else None
    else:  # A table was made from others of its data set.
        others = (
            f"it was made from another {table}"
            for table, content in entry.inputs.items()
            if (of := manifest.files.get(f"{table}.parquet")) is None or of.content != content
        )
        why = next(others, None)
    if why is not None:
        return Stale(why, False)
    if not origin.versions:
        is_other = compares_code and entry.made_by != origin.made_by
        return Stale(f"it was {data_set.verb} by other code", True) if is_other else None
    if entry.made_by == origin.versions:
        return None
    return Stale(f"it is of {entry.made_by}, expected {origin.made_by}", False)


def inputs_of_matches(saved: Saved, manifest: Manifest) -> dict[str, str] | None:
    """Return the contents from which the matches of saved AIs are made: their choices, and ours.

    None where those of built-in AIs are missing.
    """
    try:
        ours = DataSet(saved.root, saved.game, saved.opened).manifest()
    except DataError:
        return None
    if ours is None or AI_MOVES.file not in ours.files:
        return None
    choices = (name for name in manifest.files if table_of(name) == AI_MOVES.name)
    return {
        AI_MOVES.name: ours.files[AI_MOVES.file].content,
        **{name.rpartition(".")[0]: manifest.files[name].content for name in choices},
    }


def tell_stale(
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
        tell_stale(data_set, opened.manifest, opened.files)
        return opened
    if tables is None or {AIS.name, AI_MOVES.name, MATCHES.name}.intersection(tables):
        return usable(data_set)
    return Opened(Manifest(data_set.game.notation, "", {}), {})


def usable(saved: Saved, *, tells: bool = True) -> Opened:
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
    if messages and tells:
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

    origin, entry = origin_of(saved, name), manifest.files[name]
    assert origin is not None
    assert origin.table is not None  # A manifest that lists another table is refused.
    if entry.schema != origin.table.version(saved.game):
        return "has other columns than this version declares"
    if entry.made_by != origin.made_by:
        return f"is of {entry.made_by}, expected {origin.made_by}"
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
