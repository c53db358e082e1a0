"""Answers: what an oracle knows about a position and its moves, or about many, as arrays."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.board_text import draw, from_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import counted
from marubatsu.engine.rules.masks import Bools, Ints, Masks
from marubatsu.engine.rules.position import Position, Side, Status
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


_OF_POSITIONS = ("circle", "cross", "status", "score", "distance")
_OF_MOVES = ("move", "move_score", "move_distance", "loss")


@dataclass(frozen=True, eq=False, repr=False)
class Answers:
    """The values of N positions, and of their M legal moves, as arrays.

    The moves of position i are ``first_move[i]`` to ``first_move[i + 1]``, by ascending cell; a
    finished position has none. Scores are circle's view: +1 circle wins, 0 draw, -1 cross wins.
    ``status`` has the codes of `Status`, in which 3 is an unfinished position, and 0 is one that
    circle has won; ``status_names`` has their names.
    """

    game: Game
    circle: Masks  # [N] bit i = cell i
    cross: Masks  # [N]
    status: NDArray[np.int8]  # [N] code of `Status`
    score: NDArray[np.int8]  # [N]
    distance: NDArray[np.int8]  # [N] plies to the end
    first_move: Ints  # [N + 1]
    move: NDArray[np.int8]  # [M] cell filled
    move_score: NDArray[np.int8]  # [M] after the move
    move_distance: NDArray[np.int8]  # [M] plies to the end after the move
    loss: NDArray[np.int8]  # [M] how much the mover's score drops: 0, 1, 2

    def __repr__(self) -> str:
        """Count the positions by their status.

        >>> import marubatsu as mb
        >>> mb.oracle("tictactoe").answer_many(["." * 9, "ooo.xx...", "o........"])
        <Answers of tictactoe: 3 positions (1 circle, 2 playing), 17 moves>
        """
        counts = {each.word: int((self.status == each).sum()) for each in Status}
        named = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        return (
            f"<Answers of {self.game.name}: {counted(len(self), 'position')} ({named or 'none'}), "
            f"{counted(len(self.move), 'move')}>"
        )

    def __len__(self) -> int:
        return len(self.score)

    def __getitem__(self, number: int) -> Position:
        return Position(int(self.circle[number]), int(self.cross[number]))

    def __iter__(self) -> Iterator[Position]:
        return map(Position, self.circle.tolist(), self.cross.tolist())

    def moves_of(self, number: int) -> slice:
        """Return the slice of a position's moves. Raises IndexError for a number of no position."""
        number = range(len(self))[number]
        return slice(int(self.first_move[number]), int(self.first_move[number + 1]))

    def best_moves(self, number: int) -> list[int]:
        """Return the best moves of a position, by ascending cell."""
        moves = self.moves_of(number)
        return cast("list[int]", self.move[moves][self.is_best[moves]].tolist())

    def sums(self, values: Any) -> Any:
        """Add up the values of the moves of each position: [M] to [N]."""
        return np.bincount(self.parent, values, minlength=len(self))

    def at(self, numbers: Ints) -> "Answers":
        """Return the answers about some positions, in this order; one may occur several times."""
        moves = self.moves_at(numbers)
        return Answers(
            game=self.game,
            first_move=first_moves(np.diff(self.first_move)[numbers]),
            **{name: getattr(self, name)[numbers] for name in _OF_POSITIONS},
            **{name: getattr(self, name)[moves] for name in _OF_MOVES},
        )

    def moves_at(self, numbers: Ints) -> Ints:
        """Return the places of the moves of some positions, one position after the other."""
        counts = np.diff(self.first_move)[numbers]
        before = np.cumsum(counts, dtype=counts.dtype) - counts
        at: Ints = np.repeat(self.first_move[:-1][numbers] - before, counts)
        at += np.arange(len(at), dtype=at.dtype)
        return at

    @property
    def status_names(self) -> NDArray[np.str_]:
        """Status of each position as `Answer` names it, such as ``playing``: [N]."""
        names = np.array([each.word for each in Status])
        return cast("NDArray[np.str_]", names[self.status])

    @cached_property
    def ply(self) -> NDArray[np.int8]:
        """Number of marks of each position: [N]."""
        return cast("NDArray[np.int8]", np.bitwise_count(self.circle | self.cross).astype(np.int8))

    @cached_property
    def parent(self) -> Ints:
        """Place of the position that each move starts from: [M]."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.first_move))

    @property
    def children(self) -> tuple[Masks, Masks]:
        """The masks of circle and of cross after each move: [M] each."""
        mark = self.circle.dtype.type(1) << self.move
        is_circles = self.ply[self.parent] % 2 == Side.CIRCLE
        circle = self.circle[self.parent] | np.where(is_circles, mark, 0)
        cross = self.cross[self.parent] | np.where(is_circles, 0, mark)
        return circle, cross

    @property
    def score_sv(self) -> NDArray[np.int8]:
        """Shortest-victory score of each position: [N]."""
        sizes = np.array(list(map(self.game.size_of_win, range(self.game.cells + 1))), np.int8)
        return cast("NDArray[np.int8]", self.score * sizes[self.ply + self.distance])

    @cached_property
    def is_best(self) -> Bools:
        """Whether a move is a best move: [M]."""
        return cast("Bools", self.loss == 0)

    @property
    def is_best_sv(self) -> Bools:
        """Whether a move is a best move, and no best move wins sooner or loses later: [M]."""
        return cast("Bools", self.is_best & (self.move_distance + 1 == self.distance[self.parent]))

    @cached_property
    def plies_lost(self) -> NDArray[np.int8]:
        """How many plies later a best move wins, or sooner loses, than the side could: [M].

        0 where the result is a draw, and of a move that is not a best move.
        """
        score_mover = self.score * (1 - 2 * (self.ply % 2))
        slower = self.move_distance + 1 - self.distance[self.parent]
        lost = np.where(self.is_best, score_mover[self.parent] * slower, 0)
        return cast("NDArray[np.int8]", lost)

    @cached_property
    def critical(self) -> Bools:
        """Whether a position is unfinished and some legal move is not a best move: [N]."""
        return cast("Bools", self.sums(self.loss > 0) > 0)

    @property
    def unfinished(self) -> Bools:
        """Whether a position has moves: [N]."""
        return cast("Bools", self.status == Status.PLAYING)


def first_moves(counts: Any) -> Ints:
    """Return where the moves of each position begin, and where the last ones end: [N + 1]."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


def places_of(answers: Answers, numbers: Ints, cells: NDArray[Any]) -> tuple[Ints, Bools]:
    """Return the places, among all moves, of moves to cells in positions, and which are legal."""
    most = answers.game.cells
    keys = answers.parent.astype(np.int64) * most + answers.move
    wanted = numbers * most + cells
    place = np.searchsorted(keys, wanted).clip(max=max(len(keys) - 1, 0))
    is_legal: Bools = (cells >= 0) & (cells < most) & (keys[place] == wanted)
    return place, is_legal


def joined(parts: Sequence[Answers]) -> Answers:
    """Return answers about the positions of one or more others, one after the other."""
    columns = (*_OF_POSITIONS, *_OF_MOVES)
    return Answers(
        game=parts[0].game,
        first_move=first_moves(np.concatenate([np.diff(part.first_move) for part in parts])),
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in columns},
    )
