"""The input of an evaluation: a board just after a move, from the view of the player who moved."""

from collections.abc import Sequence
from typing import Any

from marubatsu.engine.boards.board import Board
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Status

_WINNER = (Status.CROSS, Status.CIRCLE)  # the side that just moved, by ply % 2


class Afterstate:
    """A board with at least one mark, valid until the board changes.

    Lines are counted by pattern (own, other, empty), which splits the ``run`` cells of a line. Own
    marks are those of the player who just moved, other marks those of the opponent, who moves next.
    """

    __slots__ = ("_patterns", "board")

    def __init__(self, board: Board[Any]) -> None:
        self.board = board
        self._patterns: Sequence[int] | None = None

    @property
    def game(self) -> Game:
        """The game of the board."""
        return self.board.game

    @property
    def move(self) -> int | None:
        """The cell that was filled last; None when it is unknown."""
        last = self.board.last_move
        return None if last is None else self.board.cell_of(last)

    @property
    def won(self) -> bool:
        """Whether the player who just moved has won."""
        board = self.board
        return board.status is _WINNER[board.ply & 1]

    @property
    def took_centre(self) -> bool:
        """Whether the last move was the centre."""
        last = self.board.last_move
        return last is not None and last == self.board.centre

    @property
    def took_corner(self) -> bool:
        """Whether the last move was a corner."""
        return self.board.last_move in self.board.corners

    @property
    def threats(self) -> int:
        """Lines that the opponent completes with one more mark: pattern (0, 2, 1) on 3x3."""
        return self._lines(0, self.board.game.run - 1)

    @property
    def own2(self) -> int:
        """Lines that lack one own mark: pattern (2, 0, 1) on 3x3."""
        return self._lines(self.board.game.run - 1, 0)

    @property
    def own1(self) -> int:
        """Lines that lack two own marks: pattern (1, 0, 2) on 3x3."""
        return self._lines(self.board.game.run - 2, 0)

    @property
    def opp1(self) -> int:
        """Lines in which the opponent lacks two marks: pattern (0, 1, 2) on 3x3."""
        return self._lines(0, self.board.game.run - 2)

    @property
    def special(self) -> bool:
        """Four marks: cross in the centre and on a border cell, circle in two opposite corners."""
        board = self.board
        if board.ply != 4:
            return False
        game = board.game
        centre, corners = game.centre, game.corners
        if centre is None or len(corners) < 4:
            return False
        circle, cross = board.position()
        opposite = (1 << corners[0] | 1 << corners[3], 1 << corners[1] | 1 << corners[2])
        return (
            bool(cross >> centre & 1)
            and any(circle & pair == pair for pair in opposite)
            and any(cross >> cell & 1 for cell in game.border)
        )

    def _lines(self, own: int, other: int) -> int:
        """Count the lines with ``own`` and ``other`` marks; 0 when a number is negative."""
        board, patterns = self.board, self._patterns
        if patterns is None:
            patterns = self._patterns = board.patterns()
        if own < 0 or other < 0:
            return 0
        stride = board.game.run + 1
        return patterns[own + stride * other if board.ply & 1 else other + stride * own]
