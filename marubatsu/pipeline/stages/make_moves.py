"""The table of moves."""

from marubatsu.pipeline.stages.context import BuildContext
from marubatsu.pipeline.tables.columns import Columns


def make(context: BuildContext) -> Columns:
    """Make one row per legal move of every position."""
    positions, scores = context.positions, context.scores
    return {
        "position": positions.parent,
        "move": positions.move,
        "child": positions.child,
        "score": scores.score[positions.child],
        "score_sv": scores.score_sv[positions.child],
        "is_best": scores.is_best,
        "is_best_sv": scores.is_best_sv,
        "loss": scores.loss,
    }
