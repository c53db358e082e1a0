"""What searches of a game have found, kept in the table ``answers`` for the next time."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from marubatsu.engine.large.values import FAR
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.kept.kept_table import read_rows, remove_rows, replace_rows
from marubatsu.pipeline.rows.arrays import numbers
from marubatsu.pipeline.store.columns import Columns, Labels
from marubatsu.pipeline.store.data_set import DataSet, Searched
from marubatsu.pipeline.store.solved_schemas import ANSWERS
from marubatsu.pipeline.support.progress import say_waiting


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
        answers = {**_read(searched), **found}
        replace_rows(searched, ANSWERS, _columns(data_set.game, answers))


def remove(data_set: DataSet) -> int:
    """Remove all answers, and return how many there were; damaged ones count as none."""
    searched = Searched(data_set.root, data_set.game)
    with searched.lock(write=True, on_wait=say_waiting):
        return remove_rows(searched)


def _read(searched: Searched) -> dict[Position, Found]:
    rows = read_rows(searched)
    if rows is None:
        return {}
    ply, circle, cross, score, distance, nodes = (
        numbers(rows[name]).astype(np.int64)
        for name in ("ply", "circle", "cross", "score", "distance", "nodes")
    )
    value = np.where(ply % 2 == 0, score, -score) * (FAR - distance)
    positions = map(Position, circle.tolist(), cross.tolist())
    return dict(zip(positions, map(Found, value.tolist(), nodes.tolist()), strict=True))


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
