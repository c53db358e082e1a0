"""A small data set as an earlier version would have built it, and both versions by turns.

``python -m tests.helpers.rebuilding ROOT`` builds by turns until its standard input ends.
"""

import itertools
import select
import sys
from dataclasses import replace
from pathlib import Path

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.stages.context import Workshop
from marubatsu.pipeline.stages.stage import Stage
from marubatsu.pipeline.store.data_set import DataSet
from tests.helpers.data_sets import tree_stages

GAME = Game.parse("2x2k2")


def older_stages() -> list[Stage]:
    """Return the stages of an earlier version, which took GAME for another one."""
    other = Game.parse("2x2k2-gravity")

    def older(stage: Stage) -> Stage:
        return replace(stage, make=lambda workshop: stage.make(Workshop(other)))

    return [older(stage) for stage in tree_stages(GAME)]


def rebuild_until_told(root: Path) -> None:
    """Build GAME as it was and as it is, by turns, until standard input ends."""
    for stages in itertools.cycle((older_stages(), tree_stages(GAME))):
        build(DataSet(root, GAME), stages)
        print("rebuilt", flush=True)
        if select.select([sys.stdin], [], [], 0.01)[0]:
            return


if __name__ == "__main__":
    rebuild_until_told(Path(sys.argv[1]))
