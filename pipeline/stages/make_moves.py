"""The table of moves."""

from marubatsu.pipeline.stages.context import BuildContext
from marubatsu.pipeline.store.columns import Columns


def make(context: BuildContext) -> Columns:
    """Make one row per legal move of every position."""
    positions, solution = context.positions, context.solution
    return {
        "position": positions.parent,
        "move": positions.move,
        "child": positions.child,
        "score": solution.score[positions.child],
        "score_sv": solution.score_sv[positions.child],
        "is_best": solution.is_best,
        "is_best_sv": solution.is_best_sv,
        "loss": solution.loss,
    }
