"""What an AI sees: a position in which it is to move, and the position after each move."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache

from engine.game import Game, Status, circle_to_move

_REMEMBERED = 1 << 15  # positions after a move: all AIs look at the same ones


@dataclass(frozen=True)
class Position:
    """An unfinished position, from the view of the side whose turn it is."""

    game: Game
    circle: int  # bit i = cell i
    cross: int

    @cached_property
    def legal(self) -> tuple[int, ...]:
        """The legal moves in ascending order."""
        return self.game.legal_moves(self.circle, self.cross)

    @property
    def centre(self) -> int | None:
        """The centre when it can be taken now, else None."""
        return self.game.centre if self.game.centre in self.legal else None

    def wins(self, move: int) -> bool:
        """Tell whether a legal move wins at once."""
        return self._won_by(move, circle=circle_to_move(self.circle | self.cross))

    def opponent_wins(self, move: int) -> bool:
        """Tell whether the opponent, moving there instead, would win at once."""
        return self._won_by(move, circle=not circle_to_move(self.circle | self.cross))

    def after(self, move: int) -> "After":
        """Return the position after a legal move."""
        if circle_to_move(self.circle | self.cross):
            return after(self.game, self.circle | 1 << move, self.cross, move)
        return after(self.game, self.circle, self.cross | 1 << move, move)

    def _won_by(self, move: int, *, circle: bool) -> bool:
        if circle:
            return self.game.status(self.circle | 1 << move, self.cross) is Status.CIRCLE
        return self.game.status(self.circle, self.cross | 1 << move) is Status.CROSS


@dataclass(frozen=True)
class After:
    """A position with at least one mark, from the view of the player who just moved.

    ``move`` is the cell that player filled; None when nobody knows, and then it is no cell.
    Lines are counted by pattern (own, other, empty): the marks of the player who just moved,
    those of the opponent, who moves next, and the empty cells among the ``run`` cells of a line.
    """

    game: Game
    circle: int
    cross: int
    move: int | None

    @cached_property
    def won(self) -> bool:
        """Whether the player who just moved has won."""
        winner = Status.CROSS if circle_to_move(self.circle | self.cross) else Status.CIRCLE
        return self.game.status(self.circle, self.cross) is winner

    @property
    def took_centre(self) -> bool:
        """Whether the last move was the centre."""
        return self.move is not None and self.move == self.game.centre

    @property
    def took_corner(self) -> bool:
        """Whether the last move was a corner."""
        return self.move in self.game.corners

    @cached_property
    def threats(self) -> int:
        """Lines that the opponent completes with one more mark: pattern (0, 2, 1) on 3x3."""
        return self._lines[0, self.game.run - 1]

    @cached_property
    def own2(self) -> int:
        """Lines that lack one own mark: pattern (2, 0, 1) on 3x3."""
        return self._lines[self.game.run - 1, 0]

    @cached_property
    def own1(self) -> int:
        """Lines that lack two own marks: pattern (1, 0, 2) on 3x3."""
        return self._lines[self.game.run - 2, 0]

    @cached_property
    def opp1(self) -> int:
        """Lines in which the opponent lacks two marks: pattern (0, 1, 2) on 3x3."""
        return self._lines[0, self.game.run - 2]

    @cached_property
    def special(self) -> bool:
        """Four marks: cross in the centre and on an edge, circle in two opposite corners."""
        game = self.game
        centre, corners = game.centre, game.corners
        if (self.circle | self.cross).bit_count() != 4 or centre is None or len(corners) < 4:
            return False
        opposite = (1 << corners[0] | 1 << corners[3], 1 << corners[1] | 1 << corners[2])
        return (
            bool(self.cross >> centre & 1)
            and any(self.circle & pair == pair for pair in opposite)
            and any(self.cross >> edge & 1 for edge in game.edges)
        )

    @cached_property
    def _lines(self) -> Counter[tuple[int, int]]:
        """How many lines hold how many own and other marks."""
        own, other = self.circle, self.cross
        if circle_to_move(own | other):
            own, other = other, own
        return Counter(
            ((own & line).bit_count(), (other & line).bit_count()) for line in self.game.lines
        )


@lru_cache(_REMEMBERED)
def after(game: Game, circle: int, cross: int, move: int | None) -> After:
    """Return the position after a move, the same object each time while it is remembered."""
    return After(game, circle, cross, move)
