"""Moves and boards as frameworks have them: an action is a column with gravity, else a cell."""

from collections.abc import Iterable, Mapping
from numbers import Integral

from marubatsu.engine.notations import move_texts
from marubatsu.engine.rules.board_text import EMPTY_CELL, MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import is_iterable, quote
from marubatsu.engine.rules.numbering import Numbering
from marubatsu.engine.rules.position import Position, bits
from marubatsu.pipeline.support.errors import UsageError

_SIGNS = EMPTY_CELL + MARKS


def action_of(game: Game, cell: int) -> int:
    """Return the action that marks a cell.

    >>> action_of(Game("connect4"), 38), action_of(Game("tictactoe"), 5)
    (3, 5)
    """
    return cell % game.columns if game.gravity else cell


def action_or_invalid(game: Game, cell: int) -> int:
    """Return the action of a cell; for one outside the board an action that does not exist.

    >>> [action_or_invalid(Game("connect4"), cell) for cell in (-1, 38, 42)]
    [-1, 3, 7]
    """
    if 0 <= cell < game.cells:
        return action_of(game, cell)
    return cell if cell < 0 or not game.gravity else game.columns


def cells_by_action(game: Game, legal: Iterable[int]) -> Mapping[int, int]:
    """Return the cell of each legal action, by ascending action.

    >>> cells_by_action(Game("connect4"), [31, 35])
    {0: 35, 3: 31}
    """
    return dict(sorted((action_of(game, cell), cell) for cell in legal))


def count_of_actions(game: Game) -> int:
    """Return the number of actions, legal or not."""
    return game.columns if game.gravity else game.cells


def action_numbering(game: Game) -> Numbering:
    """Return the numbering of moves whose numbers are the actions of a game."""
    return Numbering.COLUMNS if game.gravity else Numbering.CELLS


def position_after(game: Game, actions: Iterable[int]) -> Position:
    """Return the position after actions from the empty board. Raises BoardError for an illegal one.

    >>> position_after(Game("2x2k2-gravity"), [0, 1])
    Position(circle=4, cross=8)
    """
    moves = list(actions)
    return move_texts.position_after(game, moves, action_numbering(game), moves, moves)


def marks_of(board: str) -> list[int]:
    """Return the cells of a board text, row by row from the top: 0 empty, 1 circle, 2 cross.

    >>> marks_of("o.x......")
    [1, 0, 2, 0, 0, 0, 0, 0, 0]
    """
    return [_SIGNS.index(sign) for sign in board]


def text_of_marks(marks: Iterable[int]) -> str:
    """Return the board text of cells as in `marks_of`. Raises UsageError for anything else.

    >>> text_of_marks([1, 0, 2, 0, 0, 0, 0, 0, 0])
    'o.x......'
    """
    cells = list(marks) if is_iterable(marks) else [-1]
    if not all(isinstance(mark, Integral) and mark in range(3) for mark in cells):
        raise UsageError(f"the board is {quote(marks)}: expected 0, 1 and 2 as its cells")
    return "".join(_SIGNS[mark] for mark in cells)


def openspiel_text(game: Game, player: int, action: int) -> str:
    """Return an action as OpenSpiel writes it: ``x`` moves first, rows count from the top.

    >>> openspiel_text(Game("tictactoe"), 0, 5), openspiel_text(Game("connect4"), 1, 3)
    ('x(1,2)', 'o3')
    """
    row, column = divmod(action, game.columns)
    return f"{'xo'[player]}{action}" if game.gravity else f"{'xo'[player]}({row},{column})"


class Marks:
    """The cells that were filled in a game, to tell which cell a column means."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.occupied = 0

    def fill(self, cell: int) -> None:
        """Fill a cell, which may be outside the board."""
        if 0 <= cell < self.game.cells:
            self.occupied |= 1 << cell

    def cells_of(self, actions: Iterable[int]) -> list[int]:
        """Return the cell of each action; of a full column the top one."""
        free = cells_by_action(self.game, bits(self.game.open_cells(self.occupied)))
        return [free.get(action, action) for action in actions]


def mask_of(marks: Iterable[object]) -> int:
    """Return the mask of the cells, in our order, that have a mark.

    >>> mask_of([1, 0, 0, True])
    9
    """
    return sum(1 << cell for cell, mark in enumerate(marks) if mark)


def ordered(own: int, other: int, *, circle_sees: bool) -> Position:
    """Return a player's own marks and the opponent's as a position."""
    return Position(own, other) if circle_sees else Position(other, own)
