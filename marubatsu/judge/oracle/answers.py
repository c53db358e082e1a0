"""The facts that an oracle knows about many positions, as arrays."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Bools, Ints, Masks
from marubatsu.engine.rules.position import Position, Side, Status

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
            f"<Answers of {self.game.name}: {len(self):,} positions ({named or 'none'}), "
            f"{len(self.move):,} moves>"
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
