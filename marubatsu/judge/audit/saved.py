"""Keep the answers of foreign AIs beside the tables of ours, as more rows of them.

A build does not read them, and two builds still write the same bytes. No command deletes them but
`marubatsu ais --remove`: what another version wrote, or a disk damaged, is left out and stays.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pyarrow as pa

from marubatsu.engine.ais.by_function import FAMILY
from marubatsu.engine.ais.matches import between
from marubatsu.engine.ais.policy import require_chances
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.position import RESULTS
from marubatsu.engine.search.roster import all_ais
from marubatsu.engine.tree.positions import Positions, enumerate_positions
from marubatsu.judge.agents.saved_ais import COULD_READ, SavedChoices, choices_in
from marubatsu.judge.audit.interview import Choices, Interview
from marubatsu.pipeline.stages.staleness import inputs_of_matches, made_by, usable
from marubatsu.pipeline.store.data_set import DataSet, Saved
from marubatsu.pipeline.store.integrity import open_listed
from marubatsu.pipeline.store.listed_files import ai_of, table_of
from marubatsu.pipeline.store.manifest import FILE as MANIFEST
from marubatsu.pipeline.store.manifest import Entry, Manifest, entry_of
from marubatsu.pipeline.support.errors import DataError, OptionError, UsageError
from marubatsu.pipeline.support.events import note
from marubatsu.pipeline.support.progress import say_waiting
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.columns import Columns, Labels, Nullable, numbers
from marubatsu.pipeline.tables.parquet import encode
from marubatsu.pipeline.tables.schemas import AI_MOVES, AIS, MATCHES, Table
from marubatsu.version import __version__

_NAME = re.compile("[a-z][a-z0-9_]{0,29}")
_ASIDE = "manifest.damaged"


def require_name(name: str) -> None:
    """Raise UsageError for a name that no saved AI can have."""
    if not _NAME.fullmatch(name):
        raise OptionError(
            "save", name,
            "expected a name of at most 30 characters a-z, 0-9 and _, with a letter first",
        )  # fmt: skip
    if name in {ai.name for ai in all_ais()}:
        raise OptionError("save", name, "one of ours has this name; expected another")


def save(data_set: DataSet, name: str, interview: Interview, choices: Choices) -> None:
    """Keep the choices of an AI under a name, in place of those that had it.

    They are published before anything is made of them. Raises UsageError for a name that cannot be,
    and for an AI without any valid answer; DataError when the files cannot be written.
    """
    require_name(name)
    if not interview.is_judged:
        raise UsageError(f"{interview.name} gave no valid answer, so there is nothing to save")
    if interview.unasked:
        raise DataError(
            f"{interview.name} gave no answer in {interview.unasked:,} positions, because of "
            "time-outs or outages, so nothing is saved: audit it again"
        )
    rule = f"A foreign AI, saved from {interview.name}."
    positions = enumerate_positions(data_set.game)
    why = interview.could_read_answers
    parameters = json.dumps({COULD_READ: why} if why else {})
    made = {AIS: _ais(name, rule, parameters), AI_MOVES: _ai_moves(positions, name, choices)}
    saved = data_set.beside(Saved)
    with saved.lock(write=True, on_wait=say_waiting):
        saved.folder.mkdir(exist_ok=True)
        try:
            listed = _listed(saved)
        except DataError as error:
            saved.path(MANIFEST).replace(saved.path(_ASIDE))
            note("put aside", f"{error}; it is {near(saved.path(_ASIDE))} now, its files stay")
            listed = {}
        others = {file: entry for file, entry in listed.items() if ai_of(file) != name}
        _publish(saved, listed, others, made, name=name)
        _renew_matches(data_set)


def remove(data_set: DataSet, name: str) -> None:
    """Remove a saved AI, whatever state its files are in.

    Raises UsageError, with those that there are, when there is none.
    """
    saved = data_set.beside(Saved)
    with saved.lock(write=True, on_wait=say_waiting):
        try:
            listed = _listed(saved)
        except DataError:  # The names of the files tell enough.
            listed = {}
        there = {*listed, *(path.name for path in saved.folder.glob("*.parquet"))}
        names = sorted({ai_of(file) for file in there} - {""})
        if name not in names:
            message = f"expected {', '.join(names)}" if names else "no AI is saved there"
            raise UsageError(f"--remove {quote(name)}: {message}")
        if names == [name]:
            saved.path(MANIFEST).unlink(missing_ok=True)  # Without it, nothing there counts.
            shutil.rmtree(saved.folder)
            return
        others = {file: entry for file, entry in listed.items() if ai_of(file) != name}
        if listed:
            _publish(saved, listed, others)
        for file in there:
            if ai_of(file) == name:
                saved.path(file).unlink(missing_ok=True)
        _renew_matches(data_set)


def renew(data_set: DataSet) -> bool:
    """Match the saved AIs again where theirs or our choices are others now; say whether it did."""
    saved = data_set.beside(Saved)
    if not saved.has_manifest:
        return False
    with saved.lock(write=True, on_wait=say_waiting):
        return _renew_matches(data_set)


def _renew_matches(data_set: DataSet) -> bool:
    """Do as `renew`; without tables of our AIs, a later build does. The caller holds the lock."""
    saved = data_set.beside(Saved)
    opened = usable(saved, tells=False)
    inputs = inputs_of_matches(saved, opened.manifest)
    is_current = any(not ai_of(file) for file in opened.files)
    if is_current or inputs is None or not opened.files:
        return False
    manifest = data_set.manifest()
    assert manifest is not None  # There are inputs.
    try:
        held = open_listed(data_set, manifest, AI_MOVES.file)
        with held.reading():
            columns = _matches(enumerate_positions(data_set.game), choices_in(opened), held.rows())
    except DataError as error:
        note("left out", f"the saved AIs are not matched with ours: {error}")
        return False
    listed = _listed(saved)
    others = {file: entry for file, entry in listed.items() if table_of(file) != MATCHES.name}
    _publish(saved, listed, others, {MATCHES: columns}, inputs=inputs)
    return True


def _listed(saved: Saved) -> dict[str, Entry]:
    """Return the files that the manifest names. Raises DataError when it is damaged."""
    manifest = saved.manifest()
    return manifest.files if manifest else {}


def _publish(
    saved: Saved,
    listed: Mapping[str, Entry],
    others: Mapping[str, Entry],
    made: Mapping[Table, Columns] | None = None,
    *,
    name: str = "",
    inputs: dict[str, str] | None = None,
) -> None:
    """Write tables beside the others, and name all of them in the manifest, which comes last.

    A file has a part of its hash in its name, so no file that is named is overwritten by another.
    What was listed, and is not any more, is removed then.
    """
    entries, files = dict(others), []
    try:
        for table, columns in (made or {}).items():
            encoded = encode(table, saved.game, columns)
            digest = hashlib.sha256(encoded.data).hexdigest()[:8]
            file = ".".join([table.name, *([name] if name else []), digest, "parquet"])
            saved.write_beside(file, memoryview(encoded.data))
            entries[file] = entry_of(encoded, made_by(saved, file), inputs or {})
            files.append(file)
        saved.publish(files, Manifest(saved.game.notation, __version__, entries))
    finally:
        saved.remove_partials()
    for file in listed.keys() - entries.keys():
        saved.path(file).unlink(missing_ok=True)


def _ais(name: str, rule: str, parameters: str) -> Columns:
    one = np.zeros(1, np.int8)
    return {
        "ai": Labels(one, (name,)),
        "family": Labels(one, (FAMILY,)),
        "rule": Labels(one, (rule,)),
        "parameters": Labels(one, (parameters,)),
    }


def _ai_moves(positions: Positions, name: str, choices: Choices) -> Columns:
    moves = len(positions.move)
    return {
        "ai": Labels(np.zeros(moves, np.int8), (name,)),
        "position": positions.parent,
        "move": positions.move,
        "ai_score": Nullable(np.zeros(moves), np.ones(moves, np.bool_)),
        "is_candidate": choices.is_candidate,
        "probability": choices.probability,
    }


def _matches(positions: Positions, known: dict[str, SavedChoices], ours: pa.Table) -> Columns:
    """Match every saved AI with all AIs, ours and saved, on both sides."""
    names = [*dict.fromkeys(ours["ai"].to_pylist()), *known]
    mine = numbers(ours["probability"]).reshape(-1, len(positions.move))
    require_chances(positions, mine)
    chances = np.vstack([mine, *(kept.probability for kept in known.values())])
    is_new = np.array([name in known for name in names])
    all_found = np.empty((len(names), len(names), len(RESULTS)), dtype=object)
    all_found[is_new] = between(positions, chances[is_new], chances)
    all_found[:, is_new] = between(positions, chances, chances[is_new])
    rows = []
    for circle, circle_ai in enumerate(names):
        for cross, cross_ai in enumerate(names):
            if circle_ai not in known and cross_ai not in known:
                continue
            found = all_found[circle, cross].tolist()
            fractions = [str(each) if isinstance(each, Fraction) else None for each in found]
            rows.append((circle_ai, cross_ai, list(map(float, found)), fractions))
    rows.sort(key=lambda row: row[:2])
    number, labels = np.arange(len(rows)), tuple(sorted(names))
    return {
        "circle_ai": Labels(np.array([labels.index(row[0]) for row in rows]), labels),
        "cross_ai": Labels(np.array([labels.index(row[1]) for row in rows]), labels),
        **{
            f"p_{result.word}": np.array([row[2][place] for row in rows])
            for place, result in enumerate(RESULTS)
        },
        **{
            f"fraction_{result.word}": Labels(number, tuple(row[3][place] for row in rows))
            for place, result in enumerate(RESULTS)
        },
    }
