"""The table of splits: which classes are to learn from, and how difficult each is."""

from hashlib import sha256

import numpy as np

from marubatsu.engine.rules.masks import board_texts
from marubatsu.engine.rules.position import Status
from marubatsu.engine.tree.induction import hardness, only_moves
from marubatsu.pipeline.stages.context import BuildContext
from marubatsu.pipeline.tables.columns import Columns, Labels

SPLITS = ("train", "validation", "test")
_OF_TEN = np.array([0] * 8 + [1, 2])


def make(context: BuildContext) -> Columns:
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
        "split": Labels(split, SPLITS),
        "hardness": hardness(positions, scores)[members],
        "only_moves": only_moves(positions, scores)[members],
    }
