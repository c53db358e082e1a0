"""The tables of the game itself: positions, moves, classes, splits, and the full tree, twice."""

from hashlib import sha256

import numpy as np

from marubatsu.engine.rules.masks import Bools, Ints, board_texts
from marubatsu.engine.rules.position import Side, Status, pack
from marubatsu.engine.tree.breadth_first import build_breadth_first
from marubatsu.engine.tree.depth_first import build_depth_first
from marubatsu.engine.tree.full_tree import Tree, tree_difference
from marubatsu.engine.tree.induction import hardness, only_moves
from marubatsu.engine.tree.positions import Positions, rule_difference
from marubatsu.pipeline.stages.stage import BuildContext
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.schemas import Columns, Labels, Lists, Nullable

TURNS = (*(side.word for side in Side), None)
STATUS_WORDS = tuple(status.word for status in Status)

SPLIT_NAMES = ("train", "validation", "test")
_OF_TEN = np.array([0] * 8 + [1, 2])


def make_positions(context: BuildContext) -> Columns:
    """Make one row per reachable position.

    Raises DataError when the rules give other moves or results for arrays than for a single
    position.
    """
    positions = context.positions
    differs = rule_difference(positions)
    if differs:
        raise DataError(
            f"two readings of the rules of {context.game.name} differ: {differs}; nothing was "
            "published, because arrays or single positions ignore a rule: see docs/extending.md, "
            '"A game rule"'
        )
    classes, scores = context.classes, context.scores
    ply = positions.ply
    random_circle, random_draw, random_cross = np.ascontiguousarray(scores.random.T)
    return {
        "position": np.arange(len(positions), dtype=np.int32),
        "circles": positions.circle,
        "crosses": positions.cross,
        "board": board_texts(positions.game, positions.circle, positions.cross),
        "ply": ply,
        "turn": Labels(np.where(positions.status == Status.PLAYING, ply % 2, 2), TURNS),
        "status": Labels(positions.status, STATUS_WORDS),
        "class": classes.class_,
        "symmetry": classes.symmetry,
        "nodes": scores.nodes,
        "score": scores.score,
        "score_sv": scores.score_sv,
        "score_svrd": scores.score_svrd,
        "distance": scores.distance,
        "best_moves": _moves_where(positions, scores.is_best),
        "best_moves_sv": _moves_where(positions, scores.is_best_sv),
        "best_moves_svrd": _moves_where(positions, scores.is_best_svrd),
        "critical": scores.critical,
        "random_circle": random_circle,
        "random_draw": random_draw,
        "random_cross": random_cross,
    }


def make_moves(context: BuildContext) -> Columns:
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


def make_classes(context: BuildContext) -> Columns:
    """Make one row per class, from its representative."""
    positions, classes, scores = context.positions, context.classes, context.scores
    members = classes.representative
    nodes = np.zeros(len(members), dtype=np.int64)
    np.add.at(nodes, classes.class_, scores.nodes)
    return {
        "class": np.arange(len(members), dtype=np.int32),
        "position": members,
        "board": board_texts(positions.game, positions.circle[members], positions.cross[members]),
        "ply": positions.ply[members],
        "orbit": classes.orbit,
        "nodes": nodes,
        "status": Labels(positions.status[members], STATUS_WORDS),
        "score": scores.score[members],
        "distance": scores.distance[members],
        "critical": scores.critical[members],
    }


def make_splits(context: BuildContext) -> Columns:
    """Make one row per unfinished class, from its representative.

    All members of a class are in one split, so no image of what was learned is asked about. The
    unfinished classes are put in order of ply, score, and a hash of the board. Of ten that follow
    each other, the first eight are for training, the ninth for validation, the tenth for the test.
    So each has about its share of every ply and score; of fewer than ten classes, one may have
    none. The splits never change.
    """
    positions, classes, scores = context.positions, context.classes, context.scores
    unfinished = positions.status[classes.representative] == Status.PLAYING
    members = classes.representative[unfinished]
    boards = board_texts(positions.game, positions.circle[members], positions.cross[members])
    hashed = np.array([sha256(board).hexdigest() for board in boards.tolist()], "S64")
    order = np.lexsort((hashed, scores.score[members], positions.ply[members]))
    split = np.empty(len(members), np.int8)
    split[order] = _OF_TEN[np.arange(len(members)) % len(_OF_TEN)]
    return {
        "class": np.flatnonzero(unfinished).astype(np.int32),
        "board": boards,
        "ply": positions.ply[members],
        "score": scores.score[members],
        "split": Labels(split, SPLIT_NAMES),
        "hardness": hardness(positions, scores)[members],
        "only_moves": only_moves(positions, scores)[members],
    }


def _moves_where(positions: Positions, is_listed: Bools) -> Lists:
    before = np.concatenate([[0], np.cumsum(is_listed)])
    return Lists(positions.move[is_listed], np.diff(before[positions.first_move]))


def make_breadth_first(context: BuildContext) -> Columns:
    """Make one row per node, numbered breadth first."""
    return _tree(context.once(_breadth_first), context.positions)


def make_depth_first(context: BuildContext) -> Columns:
    """Make one row per node, depth first. Raises DataError when the other tree has other nodes."""
    tree = build_depth_first(context.game)
    differs = tree_difference(context.game, context.once(_breadth_first), tree)
    if differs:
        raise DataError(
            f"the two trees of {context.game.name} differ: {differs}; nothing was published, "
            'because one way does not know a rule: see docs/extending.md, "A game rule"'
        )
    return _tree(tree, context.positions)


def _breadth_first(context: BuildContext) -> Tree:
    return build_breadth_first(context.game)


def _tree(tree: Tree, positions: Positions) -> Columns:
    is_root = tree.parent < 0
    return {
        "node": np.arange(len(tree), dtype=np.int32),
        "parent": Nullable(tree.parent, is_root),
        "move": Nullable(tree.move, is_root),
        "ply": tree.ply,
        "line": tree.line,
        "position": _positions_of_nodes(tree, positions),
        "subtree": tree.subtree,
    }


def _positions_of_nodes(tree: Tree, positions: Positions) -> Ints:
    """Look up the position number of every node in a table over all pairs of masks."""
    cells = positions.game.cells
    number = np.full(1 << 2 * cells, -1, dtype=np.int16)
    number[pack(positions.circle.astype(np.int32), positions.cross, cells)] = np.arange(
        len(positions), dtype=np.int16
    )
    numbers: Ints = number[pack(tree.circle.astype(np.int32), tree.cross, cells)]
    return numbers
