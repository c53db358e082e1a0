"""The data that a program needs, built at once if that is quick."""

import os
from pathlib import Path

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.size import estimate_positions
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.stages.stage import TREE_STAGES, stages_of
from marubatsu.pipeline.store.data_set import DataSet, Solution, data_root
from marubatsu.pipeline.store.manifest import FILE as MANIFEST
from marubatsu.pipeline.support.progress import say_waiting

QUICK = 200_000
"""Positions whose tables are built in less than two seconds; 4x3k3 with 111,973 takes 0.7."""


def data_on_demand(game: Game | str, data: str | Path | None) -> DataSet:
    """Return a game's tables; build them first if they are missing and take under two seconds.

    Raises GameError for a name of no game, UsageError when the data is no folder.
    """
    game = Game(game) if isinstance(game, str) else game
    data_set = DataSet(data_root(None if data is None else Path(data), os.environ), game)
    parts = (data_set, Solution(data_set.root, game))
    if not any(part.path(MANIFEST).exists() for part in parts) and estimate_positions(game) < QUICK:
        build(data_set, stages_of(game, TREE_STAGES), on_wait=say_waiting)
    return data_set
