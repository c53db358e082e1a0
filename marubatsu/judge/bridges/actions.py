"""Moves and boards as frameworks have them: an action is a column with gravity, else a cell."""

from collections.abc import Iterable
from enum import StrEnum

from marubatsu.engine.rules.board_text import EMPTY_CELL, MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.pipeline.support.errors import UsageError

_SIGNS = EMPTY_CELL + MARKS


class Moves(StrEnum):
    """How a text protocol writes moves."""

    VERTICES = "vertices"  # a1: a letter for the column, a number for the row, 1 at the bottom
    OPENSPIEL = "openspiel"  # x(2,0), with gravity x0: the strings of OpenSpiel's actions


def action_of(game: Game, cell: int) -> int:
    """Return the action that marks a cell.

    >>> action_of(Game("connect4"), 38), action_of(Game("tictactoe"), 5)
    (3, 5)
    """
    return cell % game.columns if game.gravity else cell


def cell_of_action(game: Game, legal: Iterable[int], action: int) -> int | None:
    """Return the legal cell that an action marks, None when it is not legal.

    >>> cell_of_action(Game("connect4"), [35, 31], 3), cell_of_action(Game("tictactoe"), [4], 5)
    (31, None)
    """
    return next((cell for cell in legal if action_of(game, cell) == action), None)


def position_after(game: Game, actions: Iterable[int]) -> Position:
    """Return the position after actions from the empty board. Raises UsageError for an illegal one.

    >>> position_after(Game("2x2k2-gravity"), [0, 1])
    Position(circle=4, cross=8)
    """
    position = EMPTY
    for number, action in enumerate(actions, start=1):
        cell = cell_of_action(game, game.legal_moves(position), action)
        if cell is None:
            raise UsageError(
                f"action {number} is {action}, which is not legal there: expected the actions of a "
                f"game of {game.name}"
            )
        position = position.after(cell)
    return position


def marks_of(board: str) -> list[int]:
    """Return the cells of a board text, row by row from the top: 0 empty, 1 circle, 2 cross.

    >>> marks_of("o.x......")
    [1, 0, 2, 0, 0, 0, 0, 0, 0]
    """
    return [_SIGNS.index(sign) for sign in board]


def text_of_marks(marks: Iterable[int]) -> str:
    """Return the board text of cells as in `marks_of`. Raises UsageError for another number.

    >>> text_of_marks([1, 0, 2, 0, 0, 0, 0, 0, 0])
    'o.x......'
    """
    cells = list(marks)
    if not set(cells) <= {0, 1, 2}:
        raise UsageError(f"the board is {cells}: expected 0, 1 and 2 as its cells")
    return "".join(_SIGNS[mark] for mark in cells)


def openspiel_text(game: Game, position: Position, cell: int) -> str:
    """Return a move as OpenSpiel writes it: ``x`` moves first, rows count from the top.

    >>> openspiel_text(Game("tictactoe"), Position(0, 0), 5)
    'x(1,2)'
    >>> openspiel_text(Game("connect4"), Position(1 << 38, 0), 31)
    'o3'
    """
    mark = "xo"[position.turn]
    row, column = divmod(cell, game.columns)
    return f"{mark}{column}" if game.gravity else f"{mark}({row},{column})"
