"""A board of one's own: a dictionary from cells to marks, and nothing clever.

Try ``marubatsu conform examples/dict_board.py:DictBoard``, and compare it with the others by
``marubatsu bench boards --board BitBoard --board examples/dict_board.py:DictBoard``.
"""

from marubatsu.engine.boards.board import Board, MoveError
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Side, Status, bits


class DictBoard(Board[int]):
    """A move is a cell; what is not overridden here is derived from `position`, slowly."""

    def __init__(self, game: Game) -> None:
        """Start with the empty board."""
        self.marks: dict[int, int] = {}
        super().__init__(game)

    def cell_of(self, move: int) -> int:
        """Return the cell of a move."""
        return move

    def move_of(self, cell: int) -> int:
        """Return the move to a cell."""
        return cell

    def position(self) -> Position:
        """Return the position shown."""
        masks = [0, 0]
        for cell, side in self.marks.items():
            masks[side] |= 1 << cell
        return Position(*masks)

    def legal_moves(self) -> list[int]:
        """List the empty cells, or the lowest one of each column."""
        if self.status is not Status.PLAYING:
            return []
        return [
            cell
            for cell in range(self.game.cells)
            if cell not in self.marks and (not self.game.gravity or self._rests(cell))
        ]

    def _rests(self, cell: int) -> bool:
        below = cell + self.game.columns
        return below >= self.game.cells or below in self.marks

    def make(self, move: int) -> None:
        """Fill a cell for the side to move."""
        if move not in self.legal_moves():
            raise MoveError(f"{move} is no legal move on {self.text()}")
        self.marks[move] = self.turn
        self.moves.append(move)
        self.ply += 1
        self.status = self.judge()

    def unmake(self) -> None:
        """Take back the last move."""
        if not self.moves:
            raise MoveError("there is no move to take back")
        del self.marks[self.moves.pop()]
        self.ply -= 1
        self.status = Status.PLAYING

    def set_up(self, position: Position) -> None:
        """Show a position."""
        self.marks = {cell: side for side in Side for cell in bits(position[side])}
        self.moves.clear()
        self.ply = len(self.marks)
        self.status = self.judge()
