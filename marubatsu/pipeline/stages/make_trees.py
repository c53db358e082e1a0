"""The tables of the full tree, breadth first and depth first."""

import numpy as np

from marubatsu.engine.rules.masks import Ints
from marubatsu.engine.rules.position import pack
from marubatsu.engine.tree.breadth_first import build_breadth_first
from marubatsu.engine.tree.depth_first import build_depth_first
from marubatsu.engine.tree.full_tree import Tree, tree_difference
from marubatsu.engine.tree.positions import Positions
from marubatsu.pipeline.stages.context import BuildContext
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.columns import Columns, Nullable


def make_breadth_first(context: BuildContext) -> Columns:
    """Make one row per node, numbered breadth first."""
    return _columns(context.once(_breadth_first), context.positions)


def make_depth_first(context: BuildContext) -> Columns:
    """Make one row per node, depth first. Raises DataError when the other tree has other nodes."""
    tree = build_depth_first(context.game)
    differs = tree_difference(context.game, context.once(_breadth_first), tree)
    if differs:
        raise DataError(
            f"the two trees of {context.game.name} differ: {differs}; nothing was published, "
            'because one way does not know a rule: see docs/extending.md, "A game rule"'
        )
    return _columns(tree, context.positions)


def _breadth_first(context: BuildContext) -> Tree:
    return build_breadth_first(context.game)


def _columns(tree: Tree, positions: Positions) -> Columns:
    is_root = tree.parent < 0
    return {
        "node": np.arange(len(tree), dtype=np.int32),
        "parent": Nullable(tree.parent, is_root),
        "move": Nullable(tree.move, is_root),
        "ply": tree.ply,
        "line": tree.line,
        "position": _numbers(tree, positions),
        "subtree": tree.subtree,
    }


def _numbers(tree: Tree, positions: Positions) -> Ints:
    """Look up the position number of every node in a table over all pairs of masks."""
    cells = positions.game.cells
    number = np.full(1 << 2 * cells, -1, dtype=np.int16)
    number[pack(positions.circle.astype(np.int32), positions.cross, cells)] = np.arange(
        len(positions), dtype=np.int16
    )
    numbers: Ints = number[pack(tree.circle.astype(np.int32), tree.cross, cells)]
    return numbers
