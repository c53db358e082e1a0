"""The table of classes."""

import numpy as np

from marubatsu.pipeline.stages.context import BuildContext
from marubatsu.pipeline.stages.make_positions import STATUS_WORDS, board_text
from marubatsu.pipeline.store.columns import Columns, Labels


def make(context: BuildContext) -> Columns:
    """Make one row per class, from its representative."""
    positions, classes, solution = context.positions, context.classes, context.solution
    chosen = classes.representative
    nodes = np.zeros(len(chosen), dtype=np.int64)
    np.add.at(nodes, classes.class_, solution.nodes)
    return {
        "class": np.arange(len(chosen), dtype=np.int32),
        "position": chosen,
        "board": board_text(
            positions.game.cells, positions.circle[chosen], positions.cross[chosen]
        ),
        "ply": positions.ply[chosen],
        "orbit": classes.orbit,
        "nodes": nodes,
        "status": Labels(positions.status[chosen], STATUS_WORDS),
        "score": solution.score[chosen],
        "distance": solution.distance[chosen],
        "critical": solution.critical[chosen],
    }
