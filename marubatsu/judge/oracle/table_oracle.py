"""The truth from the tables of a small game, held in memory."""

from typing import Any

import numpy as np

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Masks
from marubatsu.engine.rules.position import Position
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.judge.oracle.oracle import Numbered, Oracle, Values
from marubatsu.pipeline.stages.staleness import require_usable
from marubatsu.pipeline.tables.data_set import DataSet, not_built
from marubatsu.pipeline.tables.parquet import lists, numbers
from marubatsu.pipeline.tables.schemas import POSITIONS

_SEARCHED = ("circles", "crosses", "class", "symmetry")
_VALUES = ("ply", "score", "distance")
_FACTS = ("position", "symmetry", "nodes", "score_svrd", "random_circle", "random_draw",
          "random_cross")  # fmt: skip
_BEST_MOVES = "best_moves_svrd"


class TableOracle(Oracle):
    """The table of positions of a game, read once and searched by circle's and cross's masks."""

    positions: Numbered

    def __init__(self, data_set: DataSet) -> None:
        """Read the table. Raises DataError when it is missing or damaged."""
        super().__init__(data_set.game)
        with data_set.lock(write=False):
            file = require_usable(data_set, {POSITIONS.name}).files.get(POSITIONS.file)
        if file is None:
            raise not_built(data_set)
        names = [*_SEARCHED, *_VALUES, *_FACTS, _BEST_MOVES]
        with file.reading():
            rows = file.rows(list(dict.fromkeys(names)))
            _require_plausible(data_set.game, rows)
            self.positions = Numbered(*(numbers(rows[name]) for name in _SEARCHED))
        ply, score, self._distance = (numbers(rows[name]) for name in _VALUES)
        self._score_mover = np.where(ply % 2 == 0, score, -score).astype(np.int8)
        self._facts = {name: numbers(rows[name]) for name in _FACTS}
        self._best_moves = rows[_BEST_MOVES]

    def values(self, circle: Masks, cross: Masks) -> Values:
        row, is_known = self.positions.find(circle, cross)
        return Values(self._score_mover[row], self._distance[row], is_known)

    def facts(self, circle: Masks, cross: Masks) -> dict[str, list[Any]]:
        positions = self.positions
        row, _ = positions.find(circle, cross)
        class_ = positions.class_[row]
        representative = positions.representative[class_]
        masks = positions.circle[representative].tolist(), positions.cross[representative].tolist()
        return {
            **{name: column[row].tolist() for name, column in self._facts.items()},
            _BEST_MOVES: [*map(tuple, lists(self._best_moves, row))],
            "class_": class_.tolist(),
            "orbit": positions.orbit[class_].tolist(),
            "representative": [to_text(self.game, each) for each in map(Position, *masks)],
        }


def _require_plausible(game: Game, rows: Any) -> None:
    """Raise ValueError when a number cannot be one of a position of the game.

    Who wrote a file with such numbers wrote a manifest that fits it; `check` derives all others.
    """
    circle, cross = (numbers(rows[name]).astype(np.int64) for name in ("circles", "crosses"))
    occupied, ply = circle | cross, numbers(rows["ply"])
    bounds = {
        "symmetry": (0, len(symmetries(game)) - 1),
        "class": (0, len(rows) - 1),
        "score": (-1, 1),
        "distance": (0, game.cells),
    }
    wrong = [
        name
        for name, (least, most) in bounds.items()
        if ((column := numbers(rows[name])) < least).any() or (column > most).any()
    ]
    if (numbers(rows["position"]) != np.arange(len(rows))).any():
        wrong.append("position")
    if (circle & cross).any() or (occupied & ~game.full).any():
        wrong.append("circle and cross")
    if (np.bitwise_count(occupied) != ply).any():
        wrong.append("ply")
    if wrong:
        raise ValueError(f"numbers in {', '.join(wrong)} are none of {game.name}")
