"""The order that an AI gives to the moves of each position, for the kernels."""

import numpy as np

from marubatsu.engine.ais.policy import Policy, policy_of
from marubatsu.engine.kernels.bit_rules import bit_game
from marubatsu.engine.kernels.window_kernel import Ranks
from marubatsu.engine.rules.position import Status
from marubatsu.engine.search.options import Options
from marubatsu.engine.tree.positions import Positions

NO_RANKS = Ranks(np.zeros(0, np.int64), np.zeros((0, 0), np.int64))


def ranks_of_options(positions: Positions, options: Options) -> Ranks:
    """Return the order that the AI of a search gives to the moves; none without an AI."""
    if options.ordering is None:
        return NO_RANKS
    policy = policy_of(options.ordering.on(positions.game), positions)
    return ranks_of(positions, policy, order_all=options.order_all)


def ranks_of(positions: Positions, policy: Policy, *, order_all: bool) -> Ranks:
    """Return when each move of each unfinished position is tried.

    With ``order_all`` the AI's scores sort the moves, descending, and equal ones ascend. Else its
    first candidate and the first move change places.
    """
    game = bit_game(positions.game)
    ai_score = policy.is_candidate if policy.ai_score is None else policy.ai_score
    ai_score = ai_score.astype(np.float64)
    cells = positions.game.cells
    playing = np.flatnonzero(positions.status == Status.PLAYING)
    ranks = np.zeros((len(playing), cells), np.int64)
    keys = np.zeros(len(playing), np.int64)
    first = positions.first_move.tolist()
    for row, number in enumerate(playing.tolist()):
        at = slice(first[number], first[number + 1])
        moves = positions.move[at]
        if order_all:
            order = np.argsort(-ai_score[at], kind="stable")
        else:
            order = np.arange(len(moves))
            head = int(policy.is_candidate[at].argmax())
            order[[0, head]] = order[[head, 0]]
        ranks[row, moves[order]] = np.arange(len(moves))
        mover, other, _ = game.masks(positions[number])
        keys[row] = mover | other << cells
    ascending = np.argsort(keys)
    return Ranks(keys[ascending], ranks[ascending])
