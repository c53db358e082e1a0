"""Wins that an evaluation avoids everywhere: it may value boards for the other side."""

import numpy as np

from marubatsu.engine.rules.board_text import to_text
from marubatsu.pipeline.audit.interview import Choices, Finding
from marubatsu.pipeline.oracle.answers import Answers

_LEAST = 10  # positions with a win at once, below which nothing is said


class AvoidedWins:
    """Positions in which some moves win at once and others do not, and what an AI takes there."""

    def __init__(self) -> None:
        """Start without positions."""
        self._positions = self._taken = 0
        self._board = ""

    def add(self, truth: Answers, choices: Choices) -> None:
        """Count positions that an AI was asked about."""
        mover = 1 - 2 * (truth.ply[truth.parent] % 2)
        wins = (truth.move_distance == 0) & (truth.move_score == mover)
        can_win, need_not, wins_at_once = np.zeros((3, len(truth)), np.bool_)
        can_win[truth.parent[wins]] = True
        need_not[truth.parent[~wins]] = True
        wins_at_once[truth.parent[wins & choices.is_candidate]] = True
        counted = can_win & need_not & choices.answered
        if not self._board and counted.any():
            self._board = to_text(truth.game, truth[int(counted.argmax())])
        self._positions += int(counted.sum())
        self._taken += int((counted & wins_at_once).sum())

    def finding(self) -> Finding | None:
        """Return the finding that the AI never wins at once, None where it does."""
        if self._taken or self._positions < _LEAST:
            return None
        detail = (
            f"it never wins at once, in {self._positions:,} positions: a value must be high where "
            "the player who just moved does well; negate values for the side to move"
        )
        return Finding("avoids wins", self._positions, self._board, detail)
