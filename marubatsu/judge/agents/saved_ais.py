"""The AIs that audits have saved: kept as rows next to the built-in ones, read, and asked again.

A build does not read them, and two builds still write the same bytes. No command deletes them but
`marubatsu ais --remove`: what another version wrote, or a disk damaged, is left out and stays.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.by_function import FAMILY
from marubatsu.engine.ais.matches import on_both_sides
from marubatsu.engine.ais.policy import require_chances
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.masks import Bools
from marubatsu.engine.rules.position import RESULTS
from marubatsu.engine.search.roster import all_ais
from marubatsu.engine.tree.positions import Positions, enumerate_positions
from marubatsu.pipeline.stages.on_demand import build_stages, data_set_of
from marubatsu.pipeline.stages.stage import STAGES
from marubatsu.pipeline.stages.staleness import inputs_of_matches, made_by
from marubatsu.pipeline.stages.usable import open_listed, usable
from marubatsu.pipeline.support.errors import DataError, OptionError, UsageError
from marubatsu.pipeline.support.events import note
from marubatsu.pipeline.support.json_text import read_json
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import DataSet, Saved
from marubatsu.pipeline.tables.manifest import MANIFEST, Entry, Manifest, ai_of, entry_of, table_of
from marubatsu.pipeline.tables.open_file import Opened, OpenFile
from marubatsu.pipeline.tables.parquet import encode, numbers
from marubatsu.pipeline.tables.schemas import (
    AI_MOVES,
    AIS,
    MATCHES,
    ColumnData,
    Columns,
    Labels,
    Nullable,
    Table,
)
from marubatsu.version import __version__

if TYPE_CHECKING:
    from marubatsu.pipeline.sql.relations import Tables

COULD_READ = "could_read_answers"  # the parameter that says why it could read the answers


class SavedChoices(NamedTuple):
    """An AI and its choices for the M moves of all positions, in the order of `Positions.move`."""

    rule: str
    could_read_answers: str | None  # why, when it gave these
    is_candidate: Bools  # [M]
    probability: NDArray[np.float64]  # [M]


def saved_choices(data_set: DataSet) -> dict[str, SavedChoices]:
    """Return the saved AIs of a game by name, none where the game has no data.

    Those whose files cannot be used are left out: see `usable`, which says so.
    """
    saved = data_set.sibling(Saved)
    if not saved.folder.is_dir():
        return {}
    with saved.lock(write=False):
        return choices_in(usable(saved))


def choices_in(opened: Opened) -> dict[str, SavedChoices]:
    """Read the saved AIs of usable files, by name."""
    files = {(table_of(file), ai_of(file)): file_ for file, file_ in opened.files.items()}
    choices = {}
    for ai in sorted(ai for table, ai in files if table == AIS.name):
        ai_file, moves_file = files[AIS.name, ai], files[AI_MOVES.name, ai]
        with ai_file.reading():
            (row,) = ai_file.rows().to_pylist()
        with moves_file.reading():
            moves = moves_file.rows()
            candidates = np.array(moves["is_candidate"].to_pylist(), np.bool_)
            chances = numbers(moves["probability"])
        parameters = read_json(row["parameters"])
        why = parameters.get(COULD_READ) if isinstance(parameters, dict) else None
        choices[ai] = SavedChoices(row["rule"], why, candidates, chances)
    return choices


_NAME = re.compile("[a-z][a-z0-9_]{0,29}")
_ASIDE = "manifest.damaged"


def require_name(name: object) -> None:
    """Raise UsageError for a name that no saved AI can have."""
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        raise OptionError(
            "save", name,
            "expected a name of at most 30 characters a-z, 0-9 and _, with a letter first",
        )  # fmt: skip
    if name in {ai.name for ai in all_ais()}:
        raise OptionError("save", name, "a built-in AI has this name; expected another")


def rule_of(address: str) -> str:
    """Say what a saved AI does: what the AI at an address answered."""
    return f"A foreign AI, saved from {address}."


def require_free(data_set: DataSet, name: str, address: str) -> None:
    """Raise OptionError for a name that has the answers of an AI at another address."""
    kept = saved_choices(data_set).get(name)
    if kept and kept.rule != rule_of(address):
        saved_from = kept.rule.removeprefix("A foreign AI, ").removesuffix(".")
        raise OptionError(
            "save", name,
            f"the AI of this name was {saved_from}: expected another name, or "
            f"{data_set.sibling(Saved).cure('remove', name)}",
        )  # fmt: skip


def save(data_set: DataSet, name: str, choices: SavedChoices) -> None:
    """Keep the choices of an AI under a name, in place of those that had it.

    They are published before they are matched. Raises UsageError for a name that no saved AI can
    have, DataError when the files cannot be written.
    """
    require_name(name)
    positions = enumerate_positions(data_set.game)
    made = {AIS: _ais(name, choices), AI_MOVES: _ai_moves(positions, name, choices)}
    saved = data_set.sibling(Saved)
    with saved.lock(write=True):
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

    Raises UsageError, which lists the saved AIs, for an unknown name.
    """
    saved = data_set.sibling(Saved)
    with saved.lock(write=True):
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


def build(game: Game | str = "tictactoe", *, data: str | Path | None = None) -> "Tables":
    """Build every table of a game that is missing or stale, and open the tables.

    AIs that audits have saved are matched again where they need it. Raises InputError for a name of
    no game, and for one that is too large; DataError when a file cannot be written.

    >>> build("2x2k2").positions.count("*").fetchall()
    [(29,)]
    """
    from marubatsu.pipeline.sql.relations import Tables

    data_set = data_set_of(game, data)
    build_stages(data_set, STAGES)
    renew(data_set)
    return Tables(data_set)


def renew(data_set: DataSet) -> bool:
    """Match the saved AIs again where an AI chooses other moves now; say whether it did."""
    saved = data_set.sibling(Saved)
    if not saved.has_manifest:
        return False
    with saved.lock(write=True):
        return _renew_matches(data_set)


def _renew_matches(data_set: DataSet) -> bool:
    """Do as `renew`, with the lock; without tables of built-in AIs, a later build matches them."""
    saved = data_set.sibling(Saved)
    opened = usable(saved, warns=False)
    inputs = inputs_of_matches(saved, opened.manifest)
    is_current = any(not ai_of(file) for file in opened.files)
    if is_current or inputs is None or not opened.files:
        return False
    manifest = data_set.manifest()
    assert manifest is not None  # There are inputs.
    try:
        positions = enumerate_positions(data_set.game)
        ours = chances_by_ai(open_listed(data_set, manifest, AI_MOVES.file), positions)
        columns = _matches(positions, choices_in(opened), ours)
    except DataError as error:
        note("left out", f"the saved AIs are not matched with the built-in ones: {error}")
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
    """Write tables next to the others, and list all of them in the manifest, which comes last.

    A file has a part of its hash in its name, so no file that is named is overwritten by another.
    What was listed, and is not any more, is removed then.
    """
    entries, files = dict(others), []
    try:
        for table, columns in (made or {}).items():
            encoded = encode(table, saved.game, columns)
            digest = hashlib.sha256(encoded.data).hexdigest()[:8]
            file = ".".join([table.name, *([name] if name else []), digest, "parquet"])
            saved.write_partial(file, memoryview(encoded.data))
            entries[file] = entry_of(encoded, made_by(saved, file), inputs or {})
            files.append(file)
        saved.publish(files, Manifest(saved.game.notation, __version__, entries))
    finally:
        saved.remove_partials()
    for file in listed.keys() - entries.keys():
        saved.path(file).unlink(missing_ok=True)


def _ais(name: str, choices: SavedChoices) -> Columns:
    one, why = np.zeros(1, np.int8), choices.could_read_answers
    parameters = json.dumps({COULD_READ: why} if why else {})
    return {
        "ai": Labels(one, (name,)),
        "family": Labels(one, (FAMILY,)),
        "rule": Labels(one, (choices.rule,)),
        "parameters": Labels(one, (parameters,)),
    }


def _ai_moves(positions: Positions, name: str, choices: SavedChoices) -> Columns:
    moves = len(positions.move)
    return {
        "ai": Labels(np.zeros(moves, np.int8), (name,)),
        "position": positions.parent,
        "move": positions.move,
        "ai_score": Nullable(np.zeros(moves), np.ones(moves, np.bool_)),
        "is_candidate": choices.is_candidate,
        "probability": choices.probability,
    }


def chances_by_ai(file: OpenFile, positions: Positions) -> dict[str, NDArray[np.float64]]:
    """Read a file of table ``ai_moves``: the chances [M] of each of its AIs, in their order.

    Raises DamagedError for rows that are none of these positions, or in another order.
    """
    with file.reading():
        rows = file.rows(["ai", "position", "move", "probability"])
        ai = rows["ai"].combine_chunks().dictionary_encode()
        names = ai.dictionary.to_pylist()
        shape = len(names), len(positions.move)
        for there, expected in (
            (np.asarray(ai.indices), np.arange(len(names))[:, None]),
            (numbers(rows["position"]), positions.parent),
            (numbers(rows["move"]), positions.move),
        ):
            if (there.reshape(shape) != expected).any():
                raise ValueError("its rows are not those of each AI in the order of the moves")
        chances = numbers(rows["probability"]).reshape(shape)
        require_chances(positions, chances)
    return dict(zip(names, chances, strict=True))


def _matches(
    positions: Positions, saved: dict[str, SavedChoices], ours: dict[str, NDArray[np.float64]]
) -> Columns:
    """Match every saved AI with all AIs, built in and saved, on both sides."""
    names = [*ours, *saved]
    chances = np.vstack([*ours.values(), *(kept.probability for kept in saved.values())])
    is_new = np.array([name in saved for name in names])
    by_pair = np.empty((len(names), len(names), len(RESULTS)), dtype=object)
    by_pair[is_new], by_pair[:, is_new] = on_both_sides(positions, chances[is_new], chances)
    order = np.argsort(names)
    is_matched = (is_new[:, None] | is_new)[np.ix_(order, order)]
    labels = tuple(names[place] for place in order)
    circle, cross = np.nonzero(is_matched)
    chances_of: dict[str, ColumnData] = {}
    fractions_of: dict[str, ColumnData] = {}
    for place, result in enumerate(RESULTS):
        results = by_pair[order[circle], order[cross], place].tolist()
        fractions = tuple(str(each) if isinstance(each, Fraction) else None for each in results)
        chances_of[f"p_{result.word}"] = np.array(list(map(float, results)))
        fractions_of[f"fraction_{result.word}"] = Labels(np.arange(len(results)), fractions)
    ais = {"circle_ai": Labels(circle, labels), "cross_ai": Labels(cross, labels)}
    return {**ais, **chances_of, **fractions_of}


COLUMNS = ("ai", "family", "rule", "parameters")  # of `list_ais`


def list_ais(data_set: DataSet, *, as_objects: bool) -> list[tuple[object, ...]]:
    """List the built-in AIs, then the saved ones; parameters as dicts or as users type them."""
    rows: list[tuple[object, ...]] = []
    for ai in all_ais():
        typed = ", ".join(
            f"{name}={'none' if value is None else str(value).lower()}"
            for name, value in ai.parameters
        )
        rows.append((ai.name, ai.family, ai.rule, dict(ai.parameters) if as_objects else typed))
    saved = saved_choices(data_set).items()
    return rows + [(name, FAMILY, ai.rule, {} if as_objects else "") for name, ai in saved]
