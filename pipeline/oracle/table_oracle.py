"""The truth from the tables of a small game, held in memory."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from marubatsu.engine.rules.masks import Bools, Ints, Masks
from marubatsu.engine.rules.position import Position
from marubatsu.pipeline.oracle.arrays import numbers
from marubatsu.pipeline.oracle.oracle import Oracle, Values
from marubatsu.pipeline.stages.staleness import tell_stale
from marubatsu.pipeline.store.data_set import DataSet, not_built
from marubatsu.pipeline.store.integrity import hold
from marubatsu.pipeline.store.schemas import POSITIONS

_FACTS = ("position", "symmetry", "nodes", "score_svrd", "best_moves_svrd", "random_circle",
          "random_draw", "random_cross")  # fmt: skip


class Numbered(NamedTuple):
    """All N positions of a game, by their numbers."""

    circle: Masks  # [N]
    cross: Masks  # [N]
    class_: Ints  # [N]
    represents: Bools  # [N] whether it is the representative of its class


class TableOracle(Oracle):
    """The table of positions of a game, read once and searched by circle's and cross's masks."""

    def __init__(self, data_set: DataSet, on_wait: Callable[[], None]) -> None:
        """Read the table. Raises DataError when it is missing or damaged."""
        super().__init__(data_set.game)
        with data_set.lock(write=False, on_wait=on_wait):
            manifest = data_set.manifest()
            if manifest is None or POSITIONS.file not in manifest.files:
                raise not_built(data_set)
            tell_stale(data_set, manifest, [POSITIONS.file])
            self._rows = hold(data_set, manifest, POSITIONS.file).rows()
        circle, cross, score, distance, ply, class_, symmetry = (
            numbers(self._rows[name])
            for name in ("circle", "cross", "score", "distance", "ply", "class", "symmetry")
        )
        self.positions = Numbered(circle, cross, class_, symmetry == 0)
        self._score_mover = np.where(ply % 2 == 0, score, -score).astype(np.int8)
        self._distance = distance
        # Two masks may not fit one integer, so each is replaced by its place among those there are.
        self._circles, self._crosses = np.unique(circle), np.unique(cross)
        ranks = self._rank(circle, cross)
        self._row_of = np.argsort(ranks)
        self._ranks = ranks[self._row_of]
        assert (self._ranks[1:] > self._ranks[:-1]).all()

    def values(self, circle: Masks, cross: Masks) -> Values:
        """Look up positions."""
        row, is_known = self._look_up(circle, cross)
        return Values(self._score_mover[row], self._distance[row], is_known)

    def facts(self, position: Position) -> dict[str, Any]:
        """Return the row of a position."""
        (row,), _ = self._look_up(*(np.array([mask]) for mask in position))
        (found,) = self._rows.slice(row, 1).to_pylist()
        members = np.flatnonzero(self.positions.class_ == found["class"])
        (representative,) = members[self.positions.represents[members]].tolist()
        return {
            **{name: found[name] for name in _FACTS},
            "class_": found["class"],
            "orbit": len(members),
            "representative": self._rows["board"][representative].as_py(),
        }

    def _look_up(self, circle: Masks, cross: Masks) -> tuple[Ints, Bools]:
        """Return the rows of positions, any row where there is none, and which there are."""
        ranks = self._rank(circle, cross)
        at = np.minimum(np.searchsorted(self._ranks, ranks), len(self._ranks) - 1)
        return self._row_of[at], self._ranks[at] == ranks

    def _rank(self, circle: Masks, cross: Masks) -> Ints:
        """Return one number for each pair of masks, -1 where a mask occurs nowhere: [N]."""
        places = []
        for masks, known in ((circle, self._circles), (cross, self._crosses)):
            place = np.minimum(np.searchsorted(known, masks), len(known) - 1)
            places.append(np.where(known[place] == masks, place, -1))
        rank: Ints = np.where(
            np.minimum(*places) < 0, -1, places[0] * len(self._crosses) + places[1]
        )
        return rank
