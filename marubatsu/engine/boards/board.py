"""The board protocol: one position of a game, changed in place move by move."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Any, ClassVar, Generic, Literal, Self, TypeAlias, TypeVar

from marubatsu.engine.rules.board_text import from_text, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError
from marubatsu.engine.rules.position import Position, Side, Status
from marubatsu.engine.rules.symmetry import symmetries

Move = TypeVar("Move", bound=Hashable)

PLAYING, DRAW = Status.PLAYING, Status.DRAW

BOARD_RULES = ("directions", "lines", "line_results", "full_board")
"""The special rules that this class reads; a kind of board finds the legal moves itself."""


class MoveError(InputError):
    """A move that cannot be made or taken back; the message names it and the legal ones."""


class Board(ABC, Generic[Move]):
    """One position of a game.

    A board has moves of its own kind, such as (x, y); `cell_of` and `move_of` translate them. Legal
    moves are listed by ascending cell on every board, so that the same seed plays the same game on
    all of them.

    To write a board, implement the abstract methods. The other methods are derived from these,
    slowly; you may replace them. ``marubatsu conform MODULE:CLASS`` checks whether it keeps the
    laws.
    """

    natural_order: ClassVar[Literal["row", "column"]] = "row"
    """The order of the cells in the storage: row by row or column by column."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.status = PLAYING  # kept up to date by every move
        self.ply = 0  # marks on the board
        self.moves: list[Move] = []  # made since the position was set up
        # The status after a move, by the ply before it.
        self._completing = list(game.line_results) * game.cells
        self._going_on = [PLAYING] * (game.cells - 1) + [game.full_board]
        self.centre: Move | None = None if game.centre is None else self.move_of(game.centre)
        self.corners = tuple(map(self.move_of, game.corners))

    @abstractmethod
    def cell_of(self, move: Move) -> int:
        """Return the cell, x + columns * y, that a move fills."""

    @abstractmethod
    def move_of(self, cell: int) -> Move:
        """Return the move that fills a cell. It must work before ``__init__`` has finished."""

    @abstractmethod
    def legal_moves(self) -> Sequence[Move]:
        """List the legal moves in ascending cell order; a finished position has none."""

    @abstractmethod
    def make(self, move: Move) -> None:
        """Fill a cell for the side to move, and update `status`, `ply` and `moves`.

        Raises MoveError, and changes nothing, when the move is not legal.
        """

    @abstractmethod
    def unmake(self) -> None:
        """Take back the last move. Raises MoveError when it is unknown."""

    @abstractmethod
    def position(self) -> Position:
        """Return the position on the board."""

    @abstractmethod
    def set_up(self, position: Position) -> None:
        """Set up a position that play can reach; the moves that led there are unknown."""

    def completes(self, move: Move, side: int) -> bool:
        """Return whether a mark of a side on an empty cell completes a line."""
        return self.game.has_line(self.position()[side] | 1 << self.cell_of(move))

    def judge(self) -> Status:
        """Compute the status from the whole board; `status` must equal it."""
        return self.game.status(self.position())

    def patterns(self) -> Sequence[int]:
        """Count the lines by what they hold: at circles + (run + 1) * crosses. Do not change it.

        The next move may change the returned counts.
        """
        circle, cross = self.position()
        stride = self.game.run + 1
        counts = [0] * stride**2
        for line in self.game.lines:
            counts[(circle & line).bit_count() + stride * (cross & line).bit_count()] += 1
        return counts

    def key(self) -> Hashable:
        """Return a key: equal for equal positions, different for different ones."""
        return self.position()

    def images(self) -> Sequence[Hashable]:
        """Return the keys of the position's images, one for each symmetry in their order."""
        other = self.new()
        position = self.position()
        keys = []
        for symmetry in symmetries(self.game):
            other.set_up(symmetry.of_position(position))
            keys.append(other.key())
        return keys

    def image_of_move(self, move: Move, symmetry: int) -> Move:
        """Return the image of a move under a symmetry, given by its number."""
        return self.move_of(symmetries(self.game)[symmetry].image[self.cell_of(move)])

    def save(self) -> Any:
        """Return what `restore` needs to set up this position again, without its history."""
        return self.position()

    def restore(self, saved: Any) -> None:
        """Set up a saved position again."""
        self.set_up(saved)

    def new(self) -> Self:
        """Return another board of the same kind, empty."""
        return type(self)(self.game)

    @property
    def name(self) -> str:
        """The name of this kind of board."""
        return type(self).__name__

    @property
    def turn(self) -> Side:
        """The side to move on a board still played."""
        return Side(self.ply & 1)

    @property
    def last_move(self) -> Move | None:
        """The last move, or None when it is unknown."""
        return self.moves[-1] if self.moves else None

    def wins(self, move: Move) -> bool:
        """Return whether a legal move wins at once."""
        side = self.ply & 1
        if self.completes(move, side):
            return self._completing[side] == side
        return self._going_on[self.ply] == side

    def opponent_wins(self, move: Move) -> bool:
        """Return whether the opponent, moving there instead, would win at once."""
        side = 1 - (self.ply & 1)
        if self.completes(move, side):
            return self._completing[side] == side
        return self._going_on[self.ply] == side

    def text(self) -> str:
        """Return the position as text, its cells row by row: ``o.x......``."""
        return to_text(self.game, self.position())

    def load(self, text: str) -> None:
        """Show a position given as text. Raises BoardError when play cannot reach it."""
        self.set_up(from_text(self.game, text))

    def _shown(self, ply: int) -> None:
        """Reset the ply, status and history after the storage has changed."""
        self.moves.clear()
        self.ply = ply
        self.status = self.judge()

    def _nothing_made(self) -> MoveError:
        return MoveError(f"there is no move to take back on {self.text()}")

    def _refusal(self, move: object) -> MoveError:
        if self.status is not PLAYING:
            return MoveError(f"no move can be made on {self.text()}: the game is over")
        legal = ", ".join(map(repr, self.legal_moves()))
        return MoveError(f"{move!r} is no legal move on {self.text()}: expected one of {legal}")


NewBoard: TypeAlias = Callable[[Game], Board[Any]]
"""A kind of board: a function from a game to its empty board."""
