"""The table of classes."""

import numpy as np

from marubatsu.pipeline.stages.context import BuildContext
from marubatsu.pipeline.stages.make_positions import STATUS_WORDS, board_text
from marubatsu.pipeline.tables.columns import Columns, Labels


def make(context: BuildContext) -> Columns:
    """Make one row per class, from its representative."""
    positions, classes, scores = context.positions, context.classes, context.scores
    members = classes.representative
    nodes = np.zeros(len(members), dtype=np.int64)
    np.add.at(nodes, classes.class_, scores.nodes)
    return {
        "class": np.arange(len(members), dtype=np.int32),
        "position": members,
        "board": board_text(
            positions.game.cells, positions.circle[members], positions.cross[members]
        ),
        "ply": positions.ply[members],
        "orbit": classes.orbit,
        "nodes": nodes,
        "status": Labels(positions.status[members], STATUS_WORDS),
        "score": scores.score[members],
        "distance": scores.distance[members],
        "critical": scores.critical[members],
    }
