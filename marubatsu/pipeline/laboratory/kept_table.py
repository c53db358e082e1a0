"""A table that a command keeps next to those of a game: read, replaced as a whole, removed."""

import shutil
from collections.abc import Callable
from typing import Any, TypeVar

from marubatsu.pipeline.stages.staleness import made_by, tell_stale
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.columns import Columns
from marubatsu.pipeline.tables.data_set import KeptTable
from marubatsu.pipeline.tables.integrity import open_listed
from marubatsu.pipeline.tables.manifest import MANIFEST, Manifest, entry_of, kept_files
from marubatsu.pipeline.tables.parquet import encode
from marubatsu.version import __version__

Rows = TypeVar("Rows")


def read_kept(kept: KeptTable, read: Callable[[Any], Rows], *, renewed: str = "") -> Rows | None:
    """Lock the table, and read it as `read_rows` does."""
    if not kept.has_manifest:
        return None
    with kept.lock(write=False):
        return read_rows(kept, read, renewed=renewed)


def read_rows(kept: KeptTable, read: Callable[[Any], Rows], *, renewed: str = "") -> Rows | None:
    """Read the rows from a table of Arrow; None when nothing is kept. The caller holds the lock.

    Raises DataError when the file is damaged or stale, also where ``read`` raises an error about
    its rows. A caller that makes stale rows again gets None for them; ``renewed`` tells users what
    it does.
    """
    manifest = kept.manifest()
    if manifest is None:
        return None
    is_stale = tell_stale(kept, manifest, manifest.files, renewed=renewed)
    if is_stale and renewed:
        return None
    (name,) = manifest.files
    file = open_listed(kept, manifest, name)
    with file.reading():
        return read(file.rows())


def replace_rows(kept: KeptTable, columns: Columns) -> None:
    """Replace the table by a file with another name, so that one is always right.

    The caller holds the lock.
    """
    manifest = kept.manifest()
    old = set(manifest.files) if manifest else set()
    file = next(name for name in kept_files(kept.table) if name not in old)
    encoded = encode(kept.table, kept.game, columns)
    try:
        kept.write(file, memoryview(encoded.data))
        entries = {file: entry_of(encoded, made_by(kept, file), {})}
        kept.publish([], Manifest(kept.game.notation, __version__, entries))
    finally:
        kept.remove_partials()
    for each in old:
        kept.path(each).unlink(missing_ok=True)


def remove_rows(kept: KeptTable) -> int:
    """Lock and remove the table; return how many rows it had, none where it is damaged."""
    with kept.lock(write=True):
        try:
            manifest = kept.manifest()
            rows = sum(entry.rows for entry in manifest.files.values()) if manifest else 0
        except DataError:
            rows = 0
        kept.path(MANIFEST).unlink(missing_ok=True)  # Without it, nothing there counts.
        shutil.rmtree(kept.folder, ignore_errors=True)
    return rows
