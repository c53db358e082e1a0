"""Scores, distances, best moves, random play and difficulty of every position, by induction.

All scores are from circle's view. Sources: the tutorial series for the three scores (its
shortest-victory rule in the general form: a win at move n scores 1 + (cells - n) // 2).
"""

from dataclasses import dataclass
from math import lcm
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.masks import Bools, Ints
from marubatsu.engine.rules.position import RESULTS, Side, Status
from marubatsu.engine.tree.positions import Positions

Score = TypeVar("Score", bound=np.generic)


@dataclass(frozen=True, eq=False)
class PositionScores:
    """The results of perfect and random play for N positions and their M moves."""

    score: NDArray[np.int8]  # [N] +1 circle wins, 0 draw, -1 cross wins
    score_sv: NDArray[np.int8]  # [N] the same, more for quicker wins
    score_svrd: NDArray[np.float32]  # [N] score_sv, +0.5 or -0.5 for draws with chances
    distance: NDArray[np.int8]  # [N] plies to the end
    is_best: Bools  # [M] the child's score is the best for the mover
    is_best_sv: Bools  # [M]
    is_best_svrd: Bools  # [M]
    loss: NDArray[np.int8]  # [M] how much the mover's score drops: 0, 1, 2
    critical: Bools  # [N] playing, and some legal move is not best
    nodes: NDArray[np.int64]  # [N] nodes of the full tree that show the position
    random: NDArray[np.float64]  # [N, 3] chance of each of RESULTS when both move at random


def score_positions(positions: Positions) -> PositionScores:
    """Solve every position of a game.

    Raises OverflowError when a count of nodes exceeds 63 bits.
    """
    score = (positions.status == Status.CIRCLE).astype(np.int8) - (positions.status == Status.CROSS)
    sizes = [positions.game.size_of_win(ply) for ply in range(positions.game.cells + 1)]
    score_sv = score * np.array(sizes, np.int8)[positions.ply]
    distance = np.zeros(len(positions), dtype=np.int8)
    can_win = np.stack(
        [positions.status == Status.CIRCLE, positions.status == Status.CROSS]
    )  # in some leaf below
    steps = steps_backward(positions)
    for step in steps:
        score[step.at] = step.best(score[step.child])
        score_sv[step.at] = step.best(score_sv[step.child])
        distance[step.at] = 1 + _distance_of_best(step, score, distance)
        for winner in can_win:
            winner[step.at] = np.logical_or.reduceat(winner[step.child], step.start)

    score_svrd = _recalculate_draws(positions, score_sv, can_win)
    parent, child = positions.parent, positions.child
    is_best = _best_children(steps, score)
    critical = np.zeros(len(positions), dtype=np.bool_)
    critical[parent[~is_best]] = True
    return PositionScores(
        score=score,
        score_sv=score_sv,
        score_svrd=score_svrd,
        distance=distance,
        is_best=is_best,
        is_best_sv=_best_children(steps, score_sv),
        is_best_svrd=_best_children(steps, score_svrd),
        loss=np.abs(score[parent] - score[child]),
        critical=critical,
        nodes=_count_nodes(positions, steps),
        random=_random_play(positions, steps),
    )


@dataclass(frozen=True, eq=False)
class Step:
    """The unfinished positions of one ply and their moves: U positions, K moves."""

    ply: int
    first: int  # place of the first of these moves among all
    at: Ints  # [U] position numbers
    child: Ints  # [K] children, position by position
    start: Ints  # [U] where each position's children start in ``child``
    count: Ints  # [U] legal moves of each position

    @property
    def moves(self) -> slice:
        """The place of these moves among all."""
        return slice(self.first, self.first + len(self.child))

    def best(self, scores: NDArray[Score]) -> NDArray[Score]:
        """Return for each position the best of its children's scores for the mover: [U]."""
        choose = np.maximum if self.ply % 2 == 0 else np.minimum
        result: NDArray[Score] = choose.reduceat(scores, self.start)
        return result


def steps_backward(positions: Positions) -> list[Step]:
    """Group the moves by ply, the last ply first."""
    steps = []
    for ply in reversed(range(positions.plies)):
        here = positions.of_ply(ply)
        at = here.start + np.flatnonzero(positions.status[here] == Status.PLAYING)
        if len(at):
            start = positions.first_move[at]
            count = positions.first_move[at + 1] - start
            child = positions.child[start[0] : start[-1] + count[-1]]
            steps.append(Step(ply, int(start[0]), at, child, start - start[0], count))
    return steps


def _distance_of_best(
    step: Step, score: NDArray[np.int8], distance: NDArray[np.int8]
) -> NDArray[np.int8]:
    """Return the distance of the child that perfect play chooses: [U].

    A mover who wins chooses the nearest of the best children, any other mover the farthest.
    """
    mover = 1 if step.ply % 2 == 0 else -1
    wins = np.repeat(score[step.at] == mover, step.count)
    best = score[step.child] == np.repeat(score[step.at], step.count)
    plies = distance[step.child]
    never = np.int8(127)
    nearest = np.minimum.reduceat(np.where(best & wins, plies, never), step.start)
    farthest = np.maximum.reduceat(np.where(best & ~wins, plies, np.int8(0)), step.start)
    return np.where(score[step.at] == mover, nearest, farthest)


def _recalculate_draws(
    positions: Positions, score_sv: NDArray[np.int8], can_win: Bools
) -> NDArray[np.float32]:
    """Raise or lower a draw by half a point when the side that moved last can still win.

    At the root, cross counts as the side that moved last.
    """
    circle_moved = positions.ply % 2 == 1
    chance = np.where(circle_moved, can_win[0], can_win[1])
    half = np.where(circle_moved, np.float32(0.5), np.float32(-0.5))
    return np.where((score_sv == 0) & chance, half, score_sv.astype(np.float32))


def _best_children(steps: list[Step], score: NDArray[Score]) -> Bools:
    """Return for each move whether its child's score is the best for the mover: [M]."""
    return np.concatenate(
        [
            score[step.child] == np.repeat(step.best(score[step.child]), step.count)
            for step in reversed(steps)
        ]
    )


def _count_nodes(positions: Positions, steps: list[Step]) -> NDArray[np.int64]:
    """Count the ways from the root to each position."""
    nodes = np.zeros(len(positions), dtype=np.int64)
    nodes[0] = 1
    for step in reversed(steps):
        np.add.at(nodes, step.child, np.repeat(nodes[step.at], step.count))
        if nodes.max() > 2**62 // max(1, positions.game.cells):
            raise OverflowError(f"{positions.game.name} has too many nodes to count in 63 bits")
    return nodes


def _random_play(positions: Positions, steps: list[Step]) -> NDArray[np.float64]:
    """Return the chances of circle winning, of a draw and of cross winning: [N, 3].

    Exact: whole numbers over one denominator per ply, divided at the end.
    """
    at_ply = {step.ply: step for step in steps}
    denominator = [1] * (positions.plies + 1)
    for ply, step in at_ply.items():
        denominator[ply] = denominator[ply + 1] * lcm(*set(step.count.tolist()))
    # A float64 is exact up to 53 bits; beyond that, count with Python's integers.
    kind = np.int64 if denominator[0] < 2**53 else object
    chances = np.zeros((len(positions), len(RESULTS)))
    below = np.zeros((0, len(RESULTS)), dtype=kind)
    for ply in reversed(range(positions.plies)):
        here = positions.of_ply(ply)
        ways = np.zeros((here.stop - here.start, len(RESULTS)), dtype=kind)
        for result, status in enumerate(RESULTS):
            ways[positions.status[here] == status, result] = denominator[ply]
        if ply in at_ply:
            step = at_ply[ply]
            scale = denominator[ply] // denominator[ply + 1] // step.count.astype(kind)
            sums = np.add.reduceat(below[step.child - here.stop], step.start, axis=0)
            ways[step.at - here.start] = sums * scale[:, None]
        chances[here] = ways / denominator[ply]
        below = ways
    return chances


def hardness(positions: Positions, scores: PositionScores) -> NDArray[np.float64]:
    """Return the chance that a uniformly random move is not a best move: [N], 0 at the end."""
    wrong = np.bincount(positions.parent, ~scores.is_best, len(positions))
    share: NDArray[np.float64] = wrong / np.maximum(np.diff(positions.first_move), 1)
    return share


def only_moves(positions: Positions, scores: PositionScores) -> NDArray[np.int8]:
    """Return how many only moves the side to move has to find until the end: [N].

    An only move is the one best move among several legal ones. Both sides play best moves: the side
    to move so that it has to find few of them, the other side so that it has to find many.
    """
    best = np.bincount(positions.parent, scores.is_best, len(positions))
    is_only = (best == 1) & (np.diff(positions.first_move) > 1)
    never = np.int8(127)
    counts = np.zeros((len(Side), len(positions)), np.int8)  # [side that has to find them, N]
    for step in steps_backward(positions):
        is_best = scores.is_best[step.moves]
        for side, after in zip(Side, counts, strict=True):
            below = after[step.child]
            if step.ply % len(Side) == side:
                fewest = np.minimum.reduceat(np.where(is_best, below, never), step.start)
                after[step.at] = is_only[step.at] + fewest
            else:
                most = np.maximum.reduceat(np.where(is_best, below, np.int8(-1)), step.start)
                after[step.at] = most
    mover: NDArray[np.int8] = counts[positions.ply % len(Side), np.arange(len(positions))]
    return mover
