"""What data may be older than: the code for tables, versions of format and rules for solutions.

Every reader asks `require_current`. Files that other code made are read with a warning, because
most changes of code change no byte. Files that cannot be right or readable are refused.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from marubatsu.pipeline.stages.stage import stages_of
from marubatsu.pipeline.store.data_set import DataSet, KeptTable, Saved, Solution
from marubatsu.pipeline.store.integrity import Opened, outdated, require_intact
from marubatsu.pipeline.store.manifest import Entry, Manifest
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.events import note_once

FORMAT, RULES = 3, 1
"""The versions of a solution's format and rules; raise one when it changes the bytes.

FORMAT: columns, encodings, keys, rows of a part. RULES: positions, scores, distances, orbits. Other
edits leave every solution valid, also an unfinished one.
"""

VERSION = f"format {FORMAT}, rules {RULES}"


class Stale(NamedTuple):
    """Why a file is stale, and whether it can be used nevertheless."""

    reason: str
    is_usable: bool


def staleness(data_set: DataSet, manifest: Manifest, name: str) -> Stale | None:
    """Say how a file is older than the code or inputs that it depends on; None when it is not."""
    game, entry = data_set.game, manifest.files[name]
    if isinstance(data_set, Solution | KeptTable):
        of = entry.made_by
        return None if of == VERSION else Stale(f"it is of {of}, expected {VERSION}", False)
    if isinstance(data_set, Saved):
        return _by_inputs(manifest, name, DataSet(data_set.root, game).manifest())
    stage = next((s for s in stages_of(game) if s.table.file == name), None)
    if stage is None:
        return Stale(f"this version makes no such table for {game.name}", True)
    if entry.schema != stage.table.version(game):
        return Stale("its table is declared otherwise now", False)
    stale = _by_inputs(manifest, name, manifest)
    if stale is None and entry.made_by != stage.fingerprint():
        stale = Stale("it was built by other code", True)
    return stale


def _by_inputs(manifest: Manifest, name: str, sources: Manifest | None) -> Stale | None:
    only: dict[str, Entry] = {name: manifest.files[name]}
    why = next(outdated(replace(manifest, files=only), sources), None)
    return None if why is None else Stale(why, False)


def require_current(data_set: DataSet) -> Opened:
    """Open a data set whose files match its manifest, and say when some are stale.

    Raises DataError as `require_intact` does, and when a stale file cannot be used. The caller
    holds the lock.
    """
    opened = require_intact(data_set)
    tell_stale(data_set, opened.manifest, opened.manifest.files)
    return opened


def tell_stale(data_set: DataSet, manifest: Manifest, files: Iterable[str]) -> None:
    """Say, once in a run, that files are stale. Raises DataError when one cannot be used."""
    found = {name: staleness(data_set, manifest, name) for name in files}
    stale = {name: why for name, why in found.items() if why is not None}
    if not stale:
        return
    refused = {name: why for name, why in stale.items() if not why.is_usable}
    (name, why), *others = (refused or stale).items()
    more = f", and {len(others)} more files are stale" if others else ""
    place = f"{data_set.game.name}/{data_set.part}".rstrip("/")
    told = f"{place}/{name} is stale: {why.reason}{more}; {data_set.cure}"
    if refused:
        raise DataError(told)
    note_once("stale", place, told, game=data_set.game.name, files=list(stale))
