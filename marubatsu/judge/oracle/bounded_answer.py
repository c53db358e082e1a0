"""What a search knows of a position when its time is up: bounds instead of values."""

from dataclasses import dataclass
from typing import Any

from marubatsu.engine.rules.board_text import draw, from_text
from marubatsu.engine.rules.game import Game


@dataclass(frozen=True)
class BoundedMove:
    """A legal move, and bounds of what it leads to, both as shortest-victory scores of circle.

    ``loss`` is how much the mover's score drops, None where the bounds do not tell it.
    """

    move: int
    board_after: str
    at_least: int
    at_most: int
    loss: int | None

    @property
    def outcome(self) -> str:
        """What is known of the result that the move leads to."""
        return between(self.at_least, self.at_most)

    def to_json(self) -> dict[str, Any]:
        """Return the move as one object."""
        return {**vars(self), "outcome": self.outcome}


@dataclass(frozen=True)
class BoundedAnswer:
    """The bounds of the value of a position and of each of its moves, those of promise first.

    ``at_least`` and ``at_most`` are shortest-victory scores, circle's view; ``turn`` is the side to
    move. `nodes` is what the search has visited.
    """

    game: Game
    board: str
    ply: int
    turn: str
    at_least: int
    at_most: int
    moves: tuple[BoundedMove, ...]
    nodes: int

    @property
    def score(self) -> int | None:
        """Circle's score, where the bounds tell it."""
        signs = {(bound > 0) - (bound < 0) for bound in (self.at_least, self.at_most)}
        return signs.pop() if len(signs) == 1 else None

    @property
    def best_moves(self) -> tuple[int, ...]:
        """The moves that are proved to lose nothing, by ascending cell."""
        return tuple(sorted(move.move for move in self.moves if move.loss == 0))

    @property
    def promising(self) -> tuple[int, ...]:
        """The best moves where some are proved; else those with the bounds of the first move."""
        first = (self.moves[0].at_least, self.moves[0].at_most)
        alike = (move.move for move in self.moves if (move.at_least, move.at_most) == first)
        return self.best_moves or tuple(alike)

    @property
    def summary(self) -> str:
        """What is known of the value, and what the search has visited."""
        known = between(self.at_least, self.at_most)
        return f"{self.turn} to move: {known}; the search was stopped after {self.nodes:,} nodes"

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object."""
        return {
            **vars(self),
            "game": self.game.name,
            "score": self.score,
            "outcome": between(self.at_least, self.at_most),
            "best_moves": list(self.best_moves),
            "moves": [move.to_json() for move in self.moves],
        }

    def __str__(self) -> str:
        """Write the bounds for people, without the moves."""
        return "\n".join(
            [
                draw(self.game, from_text(self.game, self.board)),
                "",
                f"{self.board} is a position of {self.game.name}, ply {self.ply}",
                self.summary,
            ]
        )


def between(low: int, high: int) -> str:
    """Tell in words what lies between two shortest-victory scores of circle.

    >>> between(0, 4), between(1, 3), between(-2, -2), between(-9, 9)
    ('at least a draw', 'circle wins, score_sv 1 to 3', 'cross wins, score_sv -2', 'nothing yet')
    """
    if low > 0 or high < 0:
        text = f"{low}" if low == high else f"{low} to {high}"
        return f"{'circle' if low > 0 else 'cross'} wins, score_sv {text}"
    if low == high:
        return "draw"
    if low == 0:
        return "at least a draw"
    return "at most a draw" if high == 0 else "nothing yet"
