"""What the oracle of a game says about the moves of recorded games.

Shapes: M moves, N different positions in which they were made.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.masks import Bools, Ints, Masks, distinct
from marubatsu.judge.oracle.answers import Answers
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.judge.review.replay import Replayed
from marubatsu.pipeline.support.errors import OutOfTimeError

_BATCH = 100_000  # positions that are looked up at a time
_CELLS = 64  # more than any board has


@dataclass(frozen=True, eq=False)
class JudgedMoves:
    """The truth about moves."""

    position: Ints  # [M] number of the position before the move
    is_known: Bools  # [M] whether somebody knew it in time
    critical: Bools  # [M] whether some move would have lost something there
    score_mover: NDArray[np.int8]  # [M] before the move
    loss: NDArray[np.int8]  # [M] how much the mover's score drops by the move
    plies_lost: NDArray[np.int8]  # [M] of a best move: how much later it wins, or sooner it loses
    best: Masks  # [M] mask of the best moves
    positions: int  # different ones that were looked up
    out_of_time: int  # those of them for which the search took too long


def judge(
    oracle: Oracle,
    moves: Replayed,
    is_asked: Bools,
    look: Callable[[float], None],
    *,
    searched: bool,
) -> JudgedMoves:
    """Judge the ``chosen`` moves; of the others, nothing is known. Equal positions are asked once.

    The last positions come first, because a search remembers what it found there. A position for
    which it takes too long is left out. Raises DataError for damaged data.
    """
    at = np.flatnonzero(is_asked)[::-1]  # Moves are ordered by ply.
    first, group = distinct(moves.circle[at], moves.cross[at], moves.game.cells)
    circle, cross = moves.circle[at][first], moves.cross[at][first]
    order = np.argsort(group, kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=len(first)))])
    judged = JudgedMoves(
        position=np.full(len(is_asked), -1),
        is_known=np.zeros(len(is_asked), np.bool_),
        critical=np.zeros(len(is_asked), np.bool_),
        score_mover=np.zeros(len(is_asked), np.int8),
        loss=np.zeros(len(is_asked), np.int8),
        plies_lost=np.zeros(len(is_asked), np.int8),
        best=np.zeros(len(is_asked), moves.circle.dtype),
        positions=len(first),
        out_of_time=0,
    )
    judged.position[at] = group
    late = 0
    for start, truth in _truths(oracle, circle, cross, searched=searched):
        look(start / len(first))
        if truth is None:
            late += 1
            continue
        here = order[ends[start] : ends[start + len(truth)]]
        _fill(judged, truth, at[here], group[here] - start, moves.cell[at[here]])
    return replace(judged, out_of_time=late)


def _truths(
    oracle: Oracle, circle: Masks, cross: Masks, *, searched: bool
) -> Iterator[tuple[int, Answers | None]]:
    """Yield answers about batches of positions; None for one whose search ran out of time."""
    if not searched:
        for start in range(0, len(circle), _BATCH):
            these = slice(start, start + _BATCH)
            yield start, oracle.answer_many((circle[these], cross[these]))
        return
    for start in range(len(circle)):
        these = slice(start, start + 1)
        try:
            yield start, oracle.answer_many((circle[these], cross[these]))
        except OutOfTimeError:
            yield start, None


def _fill(
    judged: JudgedMoves, truth: Answers, at: Ints, place: Ints, cell: NDArray[np.int8]
) -> None:
    """Set what is known of the moves ``at``, made in the positions ``place`` of the answers."""
    sign = 1 - 2 * (truth.ply % 2)
    move = np.searchsorted(truth.parent * _CELLS + truth.move, place * _CELLS + cell)
    marks = truth.circle.dtype.type(1) << truth.move
    best = np.add.reduceat(np.where(truth.is_best, marks, 0), truth.first_move[:-1])
    judged.is_known[at] = True
    judged.critical[at] = truth.critical[place]
    judged.score_mover[at] = (sign * truth.score)[place]
    judged.loss[at] = truth.loss[move]
    judged.plies_lost[at] = truth.plies_lost[move]
    judged.best[at] = best[place]
