"""A small data set as an earlier version would have built it, and both versions by turns.

``python -m tests.helpers.processes.rebuilding ROOT`` builds one of them for each line of its input.
"""

import itertools
import sys
from dataclasses import replace
from pathlib import Path

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.stages.stage import BuildContext, Stage
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.data.data_sets import tree_stages

GAME = Game("2x2k2")


def older_stages() -> list[Stage]:
    """Return the stages of an earlier version, which took GAME for another one."""
    other = Game("2x2k2-gravity")

    def older(stage: Stage) -> Stage:
        return replace(
            stage,
            make=lambda context: stage.make(BuildContext(other)),
            rooms=(*stage.rooms, "engine.kernels"),
        )

    return [older(stage) for stage in tree_stages(GAME)]


def rebuild_when_told(root: Path) -> None:
    """Build GAME as it was and as it is, by turns, once for each line of standard input."""
    for stages, _ in zip(itertools.cycle((older_stages(), tree_stages(GAME))), sys.stdin):
        build(DataSet(root, GAME), stages)
        print("rebuilt", flush=True)


if __name__ == "__main__":
    rebuild_when_told(Path(sys.argv[1]))
