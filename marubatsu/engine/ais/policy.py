"""The choices of an AI in every position of a game, as arrays, and the best response to them.

The best response is what an opponent plays who knows the policy in every position. Its result is
the measure of exploitability (M. Lanctot et al., 2017; as in OpenSpiel): the mean, over both sides,
of what a best response scores against the policy. A win is 1, a draw 0, a loss -1.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.ai import AIError, Chooser, Weighted
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Bools, Ints
from marubatsu.engine.rules.position import Position, Side, Status
from marubatsu.engine.tree.induction import Step, steps_backward
from marubatsu.engine.tree.positions import Positions


class Listed(Protocol):
    """N positions of one game, and their M legal moves; those of a position adjoin."""

    @property
    def game(self) -> Game:
        """The game of all positions."""

    @property
    def status(self) -> NDArray[np.int8]:
        """Code of the status of each position: [N]."""

    @property
    def first_move(self) -> Ints:
        """Place of the first move of each position, and the number of moves: [N + 1]."""

    @property
    def move(self) -> NDArray[np.int8]:
        """Cell that each move fills: [M]."""

    def __len__(self) -> int: ...

    def __getitem__(self, number: int, /) -> Position: ...

    def __iter__(self) -> Iterator[Position]: ...


@dataclass(frozen=True, eq=False)
class Policy:
    """An AI's choices for the M moves of all positions, in the order of `Positions.move`."""

    is_candidate: Bools  # [M]
    ai_score: NDArray[np.float64] | None  # [M] mover's view; None when the AI gives no scores


def policy_of(
    chooser: Chooser, positions: Listed, progress: Callable[[float], None] = lambda share: None
) -> Policy:
    """Compute an AI's choices in all unfinished positions; ``progress`` receives the share done.

    Raises AIError for an AI that weighs its moves.
    """
    is_candidate = np.zeros(len(positions.move), dtype=np.bool_)
    ai_score = np.zeros(len(positions.move))
    first = positions.first_move.tolist()
    playing = (positions.status == Status.PLAYING).tolist()
    has_scores = False
    board = new_board(positions.game)
    for number, position in enumerate(positions):
        if not playing[number]:
            continue
        if number % 256 == 0:
            progress(number / len(positions))
        board.set_up(position)
        choice = chooser.choice(board)
        if isinstance(choice.candidates, Weighted):
            raise AIError(f"an AI weighs its moves on {board.text()}: only equal chances fit here")
        at = slice(first[number], first[number + 1])
        is_candidate[at] = [move in choice.candidates for move in choice.legal]
        if choice.ai_scores is not None:
            has_scores = True
            ai_score[at] = [float(score) for score in choice.ai_scores]
    # Adding 0.0 turns -0.0 into 0.0.
    return Policy(is_candidate, ai_score + 0.0 if has_scores else None)


def probabilities(positions: Listed, is_candidate: Bools) -> NDArray[np.float64]:
    """Return the chance of each move when one of the candidates is chosen uniformly: [M]."""
    moves = np.diff(positions.first_move)
    starts = positions.first_move[:-1][moves > 0]
    count = np.add.reduceat(is_candidate, starts, dtype=np.int64)
    chances: NDArray[np.float64] = is_candidate / np.repeat(count, moves[moves > 0])
    return chances


def require_chances(positions: Listed, chances: NDArray[np.float64]) -> None:
    """Raise ValueError unless the chances [..., M] choose a move in every unfinished position."""
    moves = np.diff(positions.first_move)
    starts = positions.first_move[:-1][moves > 0]
    if chances.shape[-1] != len(positions.move):
        raise ValueError(
            f"it has chances for {chances.shape[-1]:,} moves of {len(positions.move):,}"
        )
    if not (np.isfinite(chances).all() and (chances >= 0).all()):
        raise ValueError("a chance of it is no number from 0 to 1")
    if not np.allclose(np.add.reduceat(chances, starts, axis=-1), 1):
        raise ValueError("its chances of the moves of a position are not 1 together")


_SAME = 1e-12  # mean results that differ by less count as equal


def best_response(positions: Positions, probability: NDArray[np.float64]) -> Bools:
    """Return the moves of a best response to a policy: one in each unfinished position, [M].

    ``probability`` [M] is the chance of each move of the policy. At circle's turns, the moves
    respond to the policy as cross; at cross's turns, to the policy as circle. Among moves with the
    same mean result, the response takes one that wins most often, the first of them.
    """
    is_response = np.zeros(len(positions.move), np.bool_)
    steps = steps_backward(positions)
    for side in Side:
        mean = (positions.status == Status(side)) - 1.0 * (positions.status == Status(side.other))
        wins = np.maximum(mean, 0)
        for step in steps:
            if step.ply % 2 == side:
                best = _best(step, mean, wins)
                is_response[step.first + best] = True
                for each in (mean, wins):
                    each[step.at] = each[step.child[best]]
            else:
                chance = probability[step.moves]
                for each in (mean, wins):
                    each[step.at] = np.add.reduceat(chance * each[step.child], step.start)
    return is_response


def _best(step: Step, mean: NDArray[np.float64], wins: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the place of the best child of each position, in the order of the step: [U]."""
    is_best = np.ones(len(step.child), np.bool_)
    for each in (mean, wins):
        after = np.where(is_best, each[step.child], -np.inf)
        most = np.repeat(np.maximum.reduceat(after, step.start), step.count)
        is_best = after >= most - _SAME
    places = np.flatnonzero(is_best)
    first: NDArray[np.int64] = places[np.searchsorted(places, step.start)]
    return first
