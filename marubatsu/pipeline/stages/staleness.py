"""What the files of data sets depend on, and how a file is older than that.

A file depends on the columns of its table, on the content of its inputs, and on what decides its
rows. Where rows are quickly made again, that is a fingerprint of code; where they took hours, it is
integer versions. Writers note it in the manifest (`made_by`), and `difference` compares it later:
`build` asks it, and by way of `staleness` so do `verify`, `games` and all readers.
"""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from marubatsu.pipeline.stages.stage import Stage, code_of_rows, stages_of
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.data_set import (
    AnswersTable,
    DataSet,
    ProofsTable,
    Saved,
    Solution,
    TechniquesTable,
)
from marubatsu.pipeline.tables.manifest import Entry, Manifest, table_of
from marubatsu.pipeline.tables.schemas import AI_MOVES, MATCHES, TABLES, Table

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


def origin_of_stage(stage: Stage) -> Origin:
    """Return what the file of a stage is made from."""
    return Origin(stage.table, "", lambda: stage.made_by)


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
            return Origin(data_set.table, "", lambda: code_of_rows(*COUNTING))
        case Saved():
            return Origin(TABLES.get(table_of(name)), f"saved {SAVED_VERSION}, rules {RULES}")
    stages = (stage for stage in stages_of(data_set.game) if stage.table.file == name)
    return next(map(origin_of_stage, stages), None)


def made_by(data_set: DataSet, name: str) -> str:
    """Return what the manifest notes of a file that this version makes now."""
    origin = origin_of(data_set, name)
    assert origin is not None, name
    return origin.made_by


class Stale(NamedTuple):
    """The dependency of a file that differs, and why the file is stale, in words."""

    dependency: Literal["table", "columns", "versions", "code", "inputs"]
    reason: str

    @property
    def is_usable(self) -> bool:
        """Whether readers use the file nevertheless."""
        return self.dependency in ("table", "code")


def difference(
    data_set: DataSet,
    origin: Origin,
    entry: Entry,
    contents: Callable[[], Mapping[str, str] | None],
    *,
    compares_code: bool = True,
) -> Stale | None:
    """Return the first dependency of a file that differs from the manifest; None for none.

    ``contents`` returns the content of each input now, None where some are missing; it is called
    last, because a build waits for them.
    """
    if origin.table is not None and entry.schema != origin.table.version(data_set.game):
        return Stale("columns", "its table is declared otherwise now")
    if origin.versions and entry.made_by != origin.versions:
        return Stale("versions", f"it is of {entry.made_by}, expected {origin.versions}")
    if not origin.versions and compares_code and entry.made_by != origin.made_by:
        return Stale("code", f"it was {data_set.verb} by other code")
    inputs = contents()
    if entry.inputs == inputs:
        return None
    if isinstance(data_set, Saved):
        return Stale("inputs", "it was made from the choices of other AIs")
    others = {*entry.inputs.items()} ^ {*(inputs or {}).items()}
    return Stale("inputs", f"it was made from another {min(others)[0]}")


def staleness(
    data_set: DataSet, manifest: Manifest, name: str, *, compares_code: bool = True
) -> Stale | None:
    """Say how a file is older than what it depends on; None when it is not."""
    entry, origin = manifest.files[name], origin_of(data_set, name)
    if origin is None:
        return Stale("table", f"this version makes no such table for {data_set.game.name}")

    def contents() -> Mapping[str, str] | None:
        if not isinstance(data_set, Saved):  # A table is made from others of its data set.
            files = manifest.files
            names = (table for table in entry.inputs if f"{table}.parquet" in files)
            return {table: files[f"{table}.parquet"].content for table in names}
        if table_of(name) == MATCHES.name:
            return inputs_of_matches(data_set, manifest)
        return entry.inputs

    return difference(data_set, origin, entry, contents, compares_code=compares_code)


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
