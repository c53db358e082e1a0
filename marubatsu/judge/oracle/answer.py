"""Answers: the facts that an oracle knows about a position and its moves, or bounds of them."""

from dataclasses import dataclass
from typing import Any

from marubatsu.engine.rules.board_text import draw, from_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import counted
from marubatsu.engine.rules.position import Status
from marubatsu.engine.rules.symmetry import symmetries


@dataclass(frozen=True)
class Move:
    """A legal move: the cell it fills, and its result when both sides play perfectly.

    Scores are circle's view; ``distance`` counts the plies from ``board_after`` to the end;
    ``loss`` is how much the mover's score drops: 0, 1 or 2. ``is_best_sv``: no best move wins
    sooner or loses later.
    """

    move: int
    board_after: str
    score: int
    score_sv: int
    distance: int
    loss: int
    is_best: bool
    is_best_sv: bool

    @property
    def outcome(self) -> str:
        """The result that the move leads to."""
        return outcome(self.score)

    def to_json(self) -> dict[str, Any]:
        """Return the move as one object."""
        return {**vars(self), "outcome": self.outcome}


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The facts about a position: its value, its class, and its legal moves, best first.

    ``score`` is circle's view: +1 circle wins, 0 draw, -1 cross wins; ``score_sv`` is the
    shortest-victory score. ``distance`` counts the plies to the end when both play the fastest win
    or slowest loss. ``turn`` is circle, cross, or None when the position is finished. ``orbit`` is
    the number of positions in its class. The fields from ``class_`` on are None if the source
    of the answer does not know them.
    """

    game: Game
    board: str
    ply: int
    turn: str | None
    status: str
    score: int
    score_sv: int
    distance: int
    moves: tuple[Move, ...]
    orbit: int
    class_: int | None = None
    representative: str | None = None  # the board of the class
    symmetry: int | None = None  # maps the position onto its representative
    position: int | None = None  # number of the position in the tables
    nodes: int | None = None  # of the full tree that show the position
    score_svrd: float | None = None
    best_moves_svrd: tuple[int, ...] | None = None
    random_circle: float | None = None  # chances of the results when both sides move at random
    random_draw: float | None = None
    random_cross: float | None = None
    key: int | None = None  # of the class in a solution: its row in its ply

    @property
    def critical(self) -> bool:
        """Whether some legal move is not a best move."""
        return any(move.loss for move in self.moves)

    @property
    def best_moves(self) -> tuple[int, ...]:
        """The moves that lose nothing, by ascending cell."""
        return tuple(sorted(move.move for move in self.moves if move.is_best))

    @property
    def best_moves_sv(self) -> tuple[int, ...]:
        """The best moves that win soonest or lose latest, by ascending cell."""
        return tuple(sorted(move.move for move in self.moves if move.is_best_sv))

    @property
    def summary(self) -> str:
        """The side to move, and the result with best play, in words."""
        if self.turn is None:
            return f"finished: {outcome(self.score)}"
        way = f"in {counted(self.distance, 'ply', 'plies')} with best play"
        return f"{self.turn} to move: {outcome(self.score)} {way}"

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object; every answer has the same keys."""
        return {
            **{name.rstrip("_"): value for name, value in vars(self).items()},
            "game": self.game.name,
            "critical": self.critical,
            "best_moves": list(self.best_moves),
            "best_moves_sv": list(self.best_moves_sv),
            "best_moves_svrd": None if self.best_moves_svrd is None else [*self.best_moves_svrd],
            "moves": [move.to_json() for move in self.moves],
        }

    def __str__(self) -> str:
        """Write the answer for people, without the moves."""
        drawing = draw(self.game, from_text(self.game, self.board))
        return "\n".join([drawing, "", *self._place(), self.summary, *self._chances()])

    def _place(self) -> list[str]:
        """Name the position by its number, if it has one, and its class."""
        if self.symmetry is None:
            orbit = f"its class has an orbit of {self.orbit}"
            if self.key is not None:
                orbit = f"class with key {self.key} in its ply, orbit of {self.orbit}"
            return [f"{self.board} is a position of {self.game.name}, ply {self.ply}", orbit]
        representative = "represented by this board"
        if self.symmetry:
            image = symmetries(self.game)[self.symmetry].name
            representative = f"represented by {self.representative} ({image})"
        return [
            f"{self.board} is position {self.position} of {self.game.name}",
            f"ply {self.ply}, nodes of the tree that show it: {self.nodes:,}",
            f"class {self.class_}, orbit of {self.orbit}, {representative}",
        ]

    def _chances(self) -> list[str]:
        if self.turn is None or self.score_svrd is None:
            return []
        chances = {
            "circle": self.random_circle, "draw": self.random_draw, "cross": self.random_cross
        }  # fmt: skip
        text = ", ".join(f"{result} {100 * (c or 0):.2f} %" for result, c in chances.items())
        scores = f"score {self.score}, score_sv {self.score_sv}, score_svrd {self.score_svrd:g}"
        return [f"{scores} (circle's view)", f"both sides at random: {text}"]


def outcome(score: int) -> str:
    """Name the result that a score means."""
    result = Status.of_score(score)
    return result.word if result is Status.DRAW else f"{result.word} wins"


def result(score_mover: int) -> str:
    """Name the result that a score of the mover means."""
    return {1: "wins", 0: "draws", -1: "loses"}[score_mover]


@dataclass(frozen=True)
class BoundedMove:
    """A legal move, and the bounds of its shortest-victory score, circle's view.

    ``loss`` is how much the mover's score drops; None if the bounds do not decide it.
    """

    move: int
    board_after: str
    at_least: int
    at_most: int
    loss: int | None

    @property
    def outcome(self) -> str:
        """The bounds of the result that the move leads to, in words."""
        return between(self.at_least, self.at_most)

    def to_json(self) -> dict[str, Any]:
        """Return the move as one object."""
        return {**vars(self), "outcome": self.outcome}


@dataclass(frozen=True)
class BoundedAnswer:
    """The bounds of the value of a position and of each of its moves, the most promising first.

    ``at_least`` and ``at_most`` are shortest-victory scores, circle's view; ``turn`` is the side to
    move. `nodes` counts the nodes that the search has visited.
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
        """Circle's score if the bounds decide it, else None."""
        signs = {(bound > 0) - (bound < 0) for bound in (self.at_least, self.at_most)}
        return signs.pop() if len(signs) == 1 else None

    @property
    def best_moves(self) -> tuple[int, ...]:
        """The moves that are proved to be best, by ascending cell."""
        return tuple(sorted(move.move for move in self.moves if move.loss == 0))

    @property
    def promising(self) -> tuple[int, ...]:
        """The proved best moves; if none is proved, the moves with the same bounds as the first."""
        first = (self.moves[0].at_least, self.moves[0].at_most)
        alike = (move.move for move in self.moves if (move.at_least, move.at_most) == first)
        return self.best_moves or tuple(alike)

    @property
    def summary(self) -> str:
        """The bounds of the value in words, and the nodes of the search."""
        outcome = between(self.at_least, self.at_most)
        search = f"the search was stopped after {self.nodes:,} nodes"
        return f"{self.turn} to move: {outcome}; {search if self.nodes else 'nothing was searched'}"

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
        drawing = draw(self.game, from_text(self.game, self.board))
        place = f"{self.board} is a position of {self.game.name}, ply {self.ply}"
        return f"{drawing}\n\n{place}\n{self.summary}"


def between(low: int, high: int) -> str:
    """Write the bounds of a shortest-victory score of circle in words.

    >>> between(0, 4), between(-4, 0)
    ('circle gets at least a draw', 'cross gets at least a draw')
    >>> between(1, 3), between(-2, -2), between(-9, 9)
    ('circle wins, score_sv 1 to 3', 'cross wins, score_sv -2', 'nothing yet')
    """
    if low > 0 or high < 0:
        text = f"{low}" if low == high else f"{low} to {high}"
        return f"{'circle' if low > 0 else 'cross'} wins, score_sv {text}"
    if low == high:
        return "draw"
    if low == 0 or high == 0:
        return f"{'cross' if high == 0 else 'circle'} gets at least a draw"
    return "nothing yet"
