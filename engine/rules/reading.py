"""Positions as people write them: a board in one of several spellings, or the moves so far."""

import re

from marubatsu.engine.rules.board_text import EMPTY_CELL, MARKS, BoardError, from_text
from marubatsu.engine.rules.cell_names import cell_of
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.position import EMPTY, Position

_SPELLINGS = {"o": "O〇○◯", "x": "X×✕", EMPTY_CELL: "-_・·"}  # noqa: RUF001, in Japanese too
_PLAIN = str.maketrans({other: sign for sign, others in _SPELLINGS.items() for other in others})
_NUMBER = re.compile("[0-9]{1,3}")
_ROWS = re.compile(r"[/\r\n]+")


def read_position(game: Game, text: str | Position) -> Position:
    """Read a board or a list of moves; return a position as it is.

    A board is its cells row by row: ``.``, ``-`` or ``_`` is empty, ``o`` or ``O`` is circle, ``x``
    or ``X`` is cross, and so are the signs that Japanese uses for them. Spaces may stand between
    cells, ``/`` or line ends between rows. A move is the number of its cell, or a column letter and
    a row number, row 1 at the bottom; commas or spaces stand between moves. Raises BoardError,
    quoting what is wrong.

    >>> game = Game("tictactoe")
    >>> {read_position(game, text) for text in ("o.x......", "O-X/---/---", "0,2", "a3 c3")}
    {Position(circle=1, cross=4)}
    """
    if isinstance(text, Position):
        return text
    if not isinstance(text, str):
        raise BoardError(f"{quote(text)} is no position: expected the text of a board or of moves")
    if any(sign.isdecimal() for sign in text):
        return _after_moves(game, text)
    return from_text(game, _plain(game, text))


def _plain(game: Game, text: str) -> str:
    """Return a board in the spelling of the tables, as far as it can be one."""
    rows = [row for row in _ROWS.split(text.translate(_PLAIN)) if row]
    cells = "".join("".join(row.split()) for row in rows)
    if len(cells) != game.cells and sum(map(len, rows)) == game.cells:
        cells = "".join(rows).replace(" ", EMPTY_CELL)  # Spaces are the empty cells.
    elif len(rows) > 1 and {len("".join(row.split())) for row in rows} != {game.columns}:
        raise BoardError(
            f"{quote(text)} has rows of another length: expected {game.rows} rows of "
            f"{game.columns} cells for {game.name}"
        )
    for number, sign in enumerate(cells):
        if len(cells) == game.cells and sign not in (EMPTY_CELL, *MARKS):
            raise BoardError(
                f"cell {number} of {quote(text)} is {quote(sign)}: expected '.' for an empty cell, "
                "'o' for circle or 'x' for cross"
            )
    return cells


def _after_moves(game: Game, text: str) -> Position:
    """Return the position to which moves lead."""
    position = EMPTY
    for number, move in enumerate(re.split(r"[\s,]+", text.strip(" ,\n")), start=1):
        legal = game.legal_moves(position)
        cell = read_move(game, move)
        if cell not in legal:
            listed = ", ".join(map(str, legal))
            after = f"expected one of {listed}" if legal else "the game is over"
            raise BoardError(
                f"move {number} of {quote(text)}, {quote(move)}, is not legal: {after}"
            )
        position = game.play(position, cell)
    return position


def read_move(game: Game, text: str) -> int | None:
    """Return the cell that a number or a name as in ``d1`` means; None when it means none."""
    return int(text) if _NUMBER.fullmatch(text) else cell_of(game, text)
