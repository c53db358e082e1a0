"""The comparison of the files of a data set with its manifest.

DuckDB reads damaged Parquet without noticing, so every reader of tables compares the hashes first.
"""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.store.data_set import (
    DataSet,
    Saved,
    Solution,
    file_sha256,
    near,
    not_built,
)
from marubatsu.pipeline.store.manifest import FILE as MANIFEST
from marubatsu.pipeline.store.manifest import Entry, Manifest
from marubatsu.pipeline.store.schemas import SOLUTION
from marubatsu.pipeline.support.errors import DataError


class Problem(NamedTuple):
    """One problem of a file."""

    kind: str  # damaged, missing, stale, foreign or unfinished
    path: Path
    reason: str

    def __str__(self) -> str:
        """Write the problem as a sentence."""
        return f"{near(self.path)} is {self.kind}: {self.reason}"


def damages(data_set: DataSet, manifest: Manifest) -> Iterator[Problem]:
    """Compare every file of a data set with its manifest: size and SHA-256."""
    for name, entry in manifest.files.items():
        yield from damage(data_set, name, entry)


def damage(data_set: DataSet, name: str, entry: Entry) -> Iterator[Problem]:
    """Compare a file with its entry in the manifest; yield the problem, if any."""
    path = data_set.path(name)
    try:
        size, sha256 = file_sha256(path)
    except OSError as error:
        yield _unreadable(path, error)
    else:
        reason = _difference(size, sha256, entry)
        if reason:
            yield Problem("damaged", path, reason)


def _unreadable(path: Path, error: OSError) -> Problem:
    if isinstance(error, FileNotFoundError):
        return Problem("missing", path, "the manifest lists it")
    return Problem("damaged", path, f"cannot be read: {error.strerror}")


def _difference(size: int, sha256: str, entry: Entry) -> str | None:
    """Say how a file differs from its entry in the manifest, or None."""
    if size != entry.bytes:
        return f"has {size:,} bytes, the manifest says {entry.bytes:,}"
    if sha256 != entry.sha256:
        return f"has sha256 {sha256[:12]}…, the manifest says {entry.sha256[:12]}…"
    return None


def map_intact(data_set: DataSet, name: str, entry: Entry) -> Any:
    """Map a file into memory as an Arrow buffer whose bytes match the manifest.

    The buffer stays that file, whatever takes its name later. Raises DataError when it is damaged.
    """
    import pyarrow as pa

    path = data_set.path(name)
    try:
        mapped = pa.memory_map(str(path)).read_buffer() if path.stat().st_size else b""
    except OSError as error:
        problem = _unreadable(path, error)
    else:
        found = _difference(len(mapped), hashlib.sha256(mapped).hexdigest(), entry)
        if found is None:
            return mapped
        problem = Problem("damaged", path, found)
    raise DataError(f"{problem}; {data_set.cure}")


def require_intact(data_set: DataSet) -> Manifest:
    """Return the manifest of a data set whose files all match it.

    Raises DataError, naming the first bad file, when one does not, or when nothing is built.
    The caller holds the lock.
    """
    manifest = data_set.manifest()
    if manifest is None:
        raise not_built(data_set)
    for problem in damages(data_set, manifest):
        raise DataError(f"{problem}; {data_set.cure}")
    return manifest


def tables_of(data_set: DataSet, require: Callable[[DataSet], Manifest]) -> frozenset[str]:
    """Return the names of a game's tables, and ``solution`` when it is solved."""
    tables: set[str] = set()
    parts = [p for p in parts_of(data_set.root, data_set.game) if p.path(MANIFEST).exists()]
    for part in parts or [data_set]:
        manifest = require(part)
        if not isinstance(part, Saved):
            tables |= {SOLUTION.name} if isinstance(part, Solution) else manifest.tables.keys()
    return frozenset(tables)


def outdated(manifest: Manifest, sources: Manifest | None) -> Iterator[str]:
    """Say which inputs of the files of a manifest are not those that there are now."""
    files = {} if sources is None else sources.files
    for entry in manifest.files.values():
        for table, content in entry.inputs.items():
            source = files.get(f"{table}.parquet")
            if source is None or source.content != content:
                yield f"it was made from another {table}"


def parts_of(root: Path, game: Game) -> list[DataSet]:
    """List the data sets of a game: its tables, solution, and saved AIs, where files exist."""
    tables, parts = DataSet(root, game), (Solution(root, game), Saved(root, game))
    names = {path.name for path in tables.folder.iterdir()} if tables.folder.is_dir() else set()
    found = [tables] if names - {part.part for part in parts} else []
    return [*found, *(part for part in parts if part.part in names)]
