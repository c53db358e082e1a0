"""Names of cells as on a chess board: a letter for the column, a number for the row, 1 below.

As in a spreadsheet, ``aa`` follows ``z``.
"""

import re
from collections.abc import Iterable

from marubatsu.engine.rules.game import Game

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NAME = re.compile(r"([a-zA-Z]{1,2})([0-9]{1,2})")


def column_name(column: int) -> str:
    """Return the letters of a column, the leftmost being 0.

    >>> column_name(0), column_name(25), column_name(26)
    ('a', 'z', 'aa')
    """
    before, letter = divmod(column, len(_LETTERS))
    return (column_name(before - 1) if before else "") + _LETTERS[letter]


def cell_name(game: Game, cell: int) -> str:
    """Return the letters of a cell's column and the number of its row.

    >>> cell_name(Game("connect4"), 38), cell_name(Game("tictactoe"), 0)
    ('d1', 'a3')
    """
    row, column = divmod(cell, game.columns)
    return f"{column_name(column)}{game.rows - row}"


def line_text(game: Game, moves: Iterable[int]) -> str:
    """Return a line of play as people type it: with gravity by the names of cells, else by number.

    >>> line_text(Game("connect4"), [38, 31]), line_text(Game("tictactoe"), [4, 0])
    ('d1 d2', '4 0')
    """
    return " ".join(cell_name(game, move) if game.gravity else str(move) for move in moves)


def column_of(game: Game, letters: str) -> int | None:
    """Return the column that has these letters, None when the board has none.

    >>> column_of(Game("connect4"), "g"), column_of(Game("connect4"), "h")
    (6, None)
    """
    names = map(column_name, range(game.columns))
    return next((at for at, name in enumerate(names) if name == letters.lower()), None)


def cell_of(game: Game, name: str) -> int | None:
    """Return the cell of a name, None when the board has none.

    >>> cell_of(Game("connect4"), "d1"), cell_of(Game("connect4"), "d7")
    (38, None)
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    column, row = column_of(game, found[1]), game.rows - int(found[2])
    return None if column is None or not 0 <= row < game.rows else column + game.columns * row
