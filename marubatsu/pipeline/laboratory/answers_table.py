"""The results of searches of a game, kept in the table ``answers`` for the next time."""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from marubatsu.engine.large.values import FAR
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.pipeline.laboratory.kept_table import read_kept, read_rows, replace_rows
from marubatsu.pipeline.store.data_set import AnswersTable, DataSet
from marubatsu.pipeline.support.progress import say_waiting
from marubatsu.pipeline.tables.columns import Columns, Labels, numbers


class Found(NamedTuple):
    """The result of a search of a position."""

    value: int  # of `engine.large.values`
    nodes: int
    best: str = ""  # the columns of the best moves, from 1, where an opening book tells them


KeptAnswers = Mapping[Position, Found]
"""The results by class, each named by its `smallest_member`."""


def read(data_set: DataSet) -> dict[Position, Found]:
    """Read what is kept of a game. Raises DataError when it is damaged or of another version."""
    return read_kept(data_set.sibling(AnswersTable), partial(_answers, data_set.game)) or {}


def add(data_set: DataSet, result: KeptAnswers) -> None:
    """Add answers to those that are kept.

    Raises DataError when those are damaged, or the files cannot be written.
    """
    table = AnswersTable(data_set.root, data_set.game)
    with table.lock(write=True, on_wait=say_waiting):
        kept = read_rows(table, partial(_answers, table.game)) or {}
        replace_rows(table, _columns(table.game, {**kept, **result}))


def _answers(game: Game, rows: Any) -> dict[Position, Found]:
    """Return the answers of rows. Raises ValueError where they are none of the game."""
    ply, circle, cross, score, distance, nodes = (
        numbers(rows[name]).astype(np.int64)
        for name in ("ply", "circles", "crosses", "score", "distance", "nodes")
    )
    is_ours = (
        (circle & cross == 0)
        & ((circle | cross) & ~game.full == 0)
        & (np.bitwise_count(circle | cross) == ply)
        & (np.abs(score) <= 1)
        & (distance >= 0)
        & (distance <= game.cells - ply)
        & (nodes >= 0)
    )
    if not is_ours.all():
        raise ValueError(f"row {int(np.argmin(is_ours))} is no answer about {game.name}")
    value = np.where(ply % 2 == 0, score, -score) * (FAR - distance)
    positions = map(Position, circle.tolist(), cross.tolist())
    return dict(zip(positions, map(Found, value.tolist(), nodes.tolist()), strict=True))


def _columns(game: Game, answers: KeptAnswers) -> Columns:
    rows = sorted((position.ply, position, result) for position, result in answers.items())
    ply, value = np.array([(ply, result.value) for ply, _, result in rows], np.int64).T
    score = np.sign(value) * np.where(ply % 2 == 0, 1, -1)
    boards = tuple(to_text(game, position) for _, position, _ in rows)
    return {
        "ply": ply,
        "circles": np.array([position.circle for _, position, _ in rows], np.int64),
        "crosses": np.array([position.cross for _, position, _ in rows], np.int64),
        "board": Labels(np.arange(len(rows)), boards),
        "score": score,
        "distance": np.where(value == 0, game.cells - ply, FAR - np.abs(value)),
        "nodes": np.array([result.nodes for *_, result in rows], np.int64),
    }
