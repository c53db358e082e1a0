"""What searches of a game have found, kept in the table ``answers`` for the next time."""

import shutil
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

import marubatsu
from marubatsu.engine.large.values import FAR
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.oracle.arrays import numbers
from marubatsu.pipeline.stages.staleness import VERSION, tell_stale
from marubatsu.pipeline.store.columns import Columns, Labels
from marubatsu.pipeline.store.data_set import DataSet, Searched
from marubatsu.pipeline.store.integrity import hold
from marubatsu.pipeline.store.manifest import FILE as MANIFEST
from marubatsu.pipeline.store.manifest import Manifest, entry_of
from marubatsu.pipeline.store.parquet import encode
from marubatsu.pipeline.store.solved_schemas import ANSWERS
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.progress import say_waiting

_FILES = tuple(f"{ANSWERS.name}.{number}.parquet" for number in range(2))


class Found(NamedTuple):
    """What a search found out about a position."""

    value: int  # of `engine.large.values`
    nodes: int


Answers = Mapping[Position, Found]
"""What is known of the positions that show their classes: see `shown`."""


def shown(game: Game, position: Position) -> Position:
    """Return the member of a class that the table shows: with the smallest masks."""
    return min(symmetry.of_position(position) for symmetry in symmetries(game))


def read(data_set: DataSet) -> dict[Position, Found]:
    """Read what is kept of a game. Raises DataError when it is damaged or of another version."""
    searched = data_set.beside(Searched)
    if not searched.has_manifest:
        return {}
    with searched.lock(write=False, on_wait=say_waiting):
        return _read(searched)


def add(data_set: DataSet, found: Answers) -> None:
    """Keep more answers, beside those that there are.

    Raises DataError when those are damaged, or the files cannot be written.
    """
    searched = Searched(data_set.root, data_set.game)
    with searched.lock(write=True, on_wait=say_waiting):
        _write(searched, {**_read(searched), **found})


def remove(data_set: DataSet) -> int:
    """Remove all answers, and return how many there were; damaged ones count as none."""
    searched = Searched(data_set.root, data_set.game)
    with searched.lock(write=True, on_wait=say_waiting):
        try:
            manifest = searched.manifest()
            count = manifest.tables[ANSWERS.name].rows if manifest else 0
        except (DataError, KeyError):
            count = 0
        searched.path(MANIFEST).unlink(missing_ok=True)  # Without it, nothing there counts.
        shutil.rmtree(searched.folder, ignore_errors=True)
    return count


def _read(searched: Searched) -> dict[Position, Found]:
    manifest = searched.manifest()
    if manifest is None:
        return {}
    tell_stale(searched, manifest, manifest.files)
    (file,) = manifest.files
    rows = hold(searched, manifest, file).rows()
    ply, circle, cross, score, distance, nodes = (
        numbers(rows[name]).astype(np.int64)
        for name in ("ply", "circle", "cross", "score", "distance", "nodes")
    )
    value = np.where(ply % 2 == 0, score, -score) * (FAR - distance)
    positions = map(Position, circle.tolist(), cross.tolist())
    return dict(zip(positions, map(Found, value.tolist(), nodes.tolist()), strict=True))


def _write(searched: Searched, answers: Answers) -> None:
    """Replace the table as a whole: by a file with another name, so that one is always right."""
    manifest = searched.manifest()
    old = set(manifest.files) if manifest else set()
    file = next(name for name in _FILES if name not in old)
    encoded = encode(ANSWERS, searched.game, _columns(searched.game, answers))
    try:
        searched.write(file, memoryview(encoded.data))
        entries = {file: entry_of(encoded, VERSION, {})}
        searched.publish([], Manifest(searched.game.notation, marubatsu.__version__, entries))
    finally:
        searched.remove_partials()
    for each in old:
        searched.path(each).unlink(missing_ok=True)


def _columns(game: Game, answers: Answers) -> Columns:
    rows = sorted((position.ply, position, found) for position, found in answers.items())
    ply, value = np.array([(ply, found.value) for ply, _, found in rows], np.int64).T
    score = np.sign(value) * np.where(ply % 2 == 0, 1, -1)
    boards = tuple(to_text(game, position) for _, position, _ in rows)
    return {
        "ply": ply,
        "circle": np.array([position.circle for _, position, _ in rows], np.int64),
        "cross": np.array([position.cross for _, position, _ in rows], np.int64),
        "board": Labels(np.arange(len(rows)), boards),
        "score": score,
        "distance": np.where(value == 0, game.cells - ply, FAR - np.abs(value)),
        "nodes": np.array([found.nodes for *_, found in rows], np.int64),
    }
