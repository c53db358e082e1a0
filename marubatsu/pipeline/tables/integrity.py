"""The comparison of the files of a data set with its manifest.

DuckDB reads damaged Parquet without noticing, so every reader of tables compares the hashes first,
and then reads the files that it compared: see `pipeline.stages.usable`.
"""

from collections.abc import Iterator
from pathlib import Path
from stat import S_ISREG
from typing import Literal, NamedTuple, TypeAlias

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.support.progress import Advance
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import DataSet, Solution
from marubatsu.pipeline.tables.manifest import Manifest, table_of
from marubatsu.pipeline.tables.open_file import Declared, OpenFile
from marubatsu.pipeline.tables.parquet_layout import LayoutError, require_layout
from marubatsu.pipeline.tables.schemas import TABLES, Table

_RIGHT: set[tuple[Table, Game, str, int]] = set()
"""What decides a layout, table, game, bytes by their hash, and rows, where it was found right."""


ProblemKind: TypeAlias = Literal[
    "damaged", "missing", "stale", "unknown", "unfinished", "different"
]
"""The last: the file is intact, and its rows are not those that are published."""


class Problem(NamedTuple):
    """One problem of a file."""

    kind: ProblemKind
    path: Path
    reason: str

    def __str__(self) -> str:
        return f"{near(self.path)} is {self.kind}: {self.reason}"


def damages(
    data_set: DataSet, manifest: Manifest, progress: Advance = lambda share, note="": None
) -> Iterator[Problem]:
    """Compare every file of a data set with its manifest: size and SHA-256."""
    for number, name in enumerate(manifest.files):
        progress(number / len(manifest.files), data_set.game.name)
        file = file_or_problem(data_set, manifest, name, is_copied=False)
        if isinstance(file, Problem):
            yield file


def file_or_problem(
    data_set: DataSet, manifest: Manifest, name: str, *, is_copied: bool
) -> OpenFile | Problem:
    """Open a file; compare it with its entry in the manifest, and its layout with its table."""
    path, entry = data_set.path(name), manifest.files[name]
    try:
        status = path.stat()
        if not S_ISREG(status.st_mode):
            reason = "cannot be read: it is no regular file, so move it away"
        elif status.st_size == entry.bytes:
            table = _declared(table_of(name))
            declared = Declared(table, data_set.game) if table else None
            file = OpenFile(path, is_copied=is_copied, declared=declared)
            if file.sha256 == entry.sha256:
                reason = _wrong_layout(data_set, manifest, name, file)
                if not reason:
                    return file
            else:
                reason = f"has sha256 {file.sha256[:12]}…, the manifest says {entry.sha256[:12]}…"
        else:
            reason = f"has {status.st_size:,} bytes, the manifest says {entry.bytes:,}"
    except FileNotFoundError:
        return Problem("missing", path, "the manifest lists it")
    except OSError as error:
        reason = f"cannot be read: {error.strerror}"
    return Problem("damaged", path, reason)


def _declared(name: str) -> Table | None:
    if name in TABLES:
        return TABLES[name]
    from marubatsu.pipeline.tables.solved_schemas import DECLARED  # which a tree does not need

    return DECLARED.get(name)


def _wrong_layout(data_set: DataSet, manifest: Manifest, name: str, file: OpenFile) -> str:
    """Say how a file is laid out otherwise than its table; "" for one that is stale anyway."""
    entry, table = manifest.files[name], file.declared and file.declared.table
    if table is None or (
        entry.schema != table.version(data_set.game) and not isinstance(data_set, Solution)
    ):
        return ""
    layout = (table, data_set.game, file.sha256, entry.rows)
    if layout in _RIGHT:
        return ""
    try:
        require_layout(table, data_set.game, file, entry.rows)
    except LayoutError as error:
        return str(error)
    _RIGHT.add(layout)
    return ""
