"""Keep the answers of foreign AIs beside the tables of ours, as more rows of them.

A build knows nothing of them, and two builds still write the same bytes. All saved AIs of a game
stand in the three files of one folder, which every change writes anew.
"""

import re
import shutil
from fractions import Fraction

import numpy as np
import pyarrow as pa

import marubatsu
from marubatsu.engine.players.by_function import FAMILY
from marubatsu.engine.players.matches import between
from marubatsu.engine.players.roster import all_ais
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.position import RESULTS
from marubatsu.engine.tree.positions import Positions, enumerate_positions
from marubatsu.pipeline.agents.saved_ais import SavedChoices, read, read_table
from marubatsu.pipeline.audit.interview import Choices, Interview
from marubatsu.pipeline.rows.arrays import numbers
from marubatsu.pipeline.stages.staleness import made_by
from marubatsu.pipeline.store.columns import Columns, Labels, Nullable
from marubatsu.pipeline.store.data_set import DataSet, Saved
from marubatsu.pipeline.store.integrity import require_intact
from marubatsu.pipeline.store.manifest import FILE as MANIFEST
from marubatsu.pipeline.store.manifest import Manifest, entry_of
from marubatsu.pipeline.store.parquet import encode
from marubatsu.pipeline.store.schemas import AI_MOVES, AIS, MATCHES, POSITIONS, Table
from marubatsu.pipeline.support.errors import DataError, OptionError, UsageError
from marubatsu.pipeline.support.progress import say_waiting

_NAME = re.compile("[a-z][a-z0-9_]{0,29}")


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

    Raises UsageError for a name that cannot be, and for an AI without any valid answer; DataError
    when the tables are missing or damaged, or the files cannot be written.
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
    with Saved(data_set.root, data_set.game).lock(write=True, on_wait=say_waiting):
        known = read(data_set)
        known[name] = SavedChoices(rule, choices.is_candidate, choices.probability)
        _write(data_set, known)


def remove(data_set: DataSet, name: str) -> None:
    """Remove a saved AI. Raises UsageError, with those that there are, when there is none."""
    with Saved(data_set.root, data_set.game).lock(write=True, on_wait=say_waiting):
        known = read(data_set)
        if name not in known:
            there = f"expected {', '.join(known)}" if known else "no AI is saved there"
            raise UsageError(f"--remove {quote(name)}: {there}")
        del known[name]
        _write(data_set, known)


def _write(data_set: DataSet, known: dict[str, SavedChoices]) -> None:
    """Write the saved AIs, or remove their folder when there are none."""
    saved = Saved(data_set.root, data_set.game)
    if not known:
        saved.path(MANIFEST).unlink()  # Without it, nothing there counts.
        shutil.rmtree(saved.folder)
        return
    positions = enumerate_positions(data_set.game)
    known = dict(sorted(known.items()))
    made: dict[Table, Columns] = {
        AIS: _ais(known),
        AI_MOVES: _ai_moves(positions, known),
        MATCHES: _matches(positions, known, read_table(data_set, AI_MOVES)),
    }
    sources = require_intact(data_set).manifest.tables
    inputs = {table.name: sources[table.name].content for table in (POSITIONS, AI_MOVES)}
    saved.folder.mkdir(exist_ok=True)
    try:
        entries = {}
        for table, columns in made.items():
            encoded = encode(table, data_set.game, columns)
            saved.write_beside(table.file, memoryview(encoded.data))
            entries[table.file] = entry_of(encoded, made_by(saved, table.file), inputs)
        manifest = Manifest(data_set.game.notation, marubatsu.__version__, entries)
        saved.publish(list(entries), manifest)
    finally:
        saved.remove_partials()


def _ais(known: dict[str, SavedChoices]) -> Columns:
    names = np.arange(len(known))
    return {
        "ai": Labels(names, tuple(known)),
        "family": Labels(np.zeros_like(names), (FAMILY,)),
        "rule": Labels(names, tuple(kept.rule for kept in known.values())),
        "parameters": Labels(np.zeros_like(names), ("{}",)),
    }


def _ai_moves(positions: Positions, known: dict[str, SavedChoices]) -> Columns:
    count, moves = len(known), len(positions.move)
    return {
        "ai": Labels(np.repeat(np.arange(count), moves), tuple(known)),
        "position": np.tile(positions.parent, count),
        "move": np.tile(positions.move, count),
        "ai_score": Nullable(np.zeros(count * moves), np.ones(count * moves, np.bool_)),
        "is_candidate": np.concatenate([kept.is_candidate for kept in known.values()]),
        "probability": np.concatenate([kept.probability for kept in known.values()]),
    }


def _matches(positions: Positions, known: dict[str, SavedChoices], ours: pa.Table) -> Columns:
    """Match every saved AI with all AIs, ours and saved, on both sides."""
    names = [*dict.fromkeys(ours["ai"].to_pylist()), *known]
    mine = numbers(ours["probability"]).reshape(-1, len(positions.move))
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
