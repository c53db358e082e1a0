"""Numberings of moves: which texts and numbers name the cells of a board.

A move is read as its goal: the mask of the cells that it may fill. A goal is one cell, or with
gravity a whole column, whose lowest empty cell gets filled. A numbering is defined by how it spells
each cell; `goals` inverts that, so reading and writing cannot disagree.

Names are as on a chess board: a letter for the column, a number for the row, 1 below. As in a
spreadsheet, ``aa`` follows ``z``.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import TypeAlias, TypeVar

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError, expectation, is_one_of, quote
from marubatsu.engine.rules.position import Position

Move = TypeVar("Move")

Spelling: TypeAlias = "Callable[[Game, int, int], tuple[str, ...]]"
"""A function from a row and a column to the texts of a cell; the first is how it is written."""


class NumberingError(InputError):
    """A text or number that is no move of a game; the message names the numberings that have it."""


class Numbering(StrEnum):
    """A numbering of moves; columns count from the left, rows from the top."""

    CELLS = "cells"
    CELLS_FROM_1 = "cells-from-1"
    BY_COLUMN = "cells-by-column"
    BY_COLUMN_FROM_1 = "cells-by-column-from-1"
    BY_COLUMN_FROM_BOTTOM = "cells-by-column-from-bottom"
    FROM_BOTTOM = "cells-from-bottom"
    FROM_BOTTOM_FROM_1 = "cells-from-bottom-from-1"
    COLUMNS = "columns"
    COLUMNS_FROM_1 = "columns-from-1"
    NAMES = "names"
    NAMES_FROM_TOP = "names-from-top"
    ROW_COLUMN = "row-column"
    ROW_COLUMN_FROM_1 = "row-column-from-1"
    COLUMN_ROW = "column-row"
    COLUMN_ROW_FROM_1 = "column-row-from-1"


_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MARKS = ("x", "o")  # which may come before a number, as in the logs of OpenSpiel
_FREE_COLUMNS = 14  # columns of a board on which no name of a cell begins with o or x
_JOINABLE = re.compile("[xo]?[0-9]|[a-z][0-9]?")
_AROUND_SIGNS = re.compile(r"\s*([,()\[\]])\s*")
_FRAMED = re.compile(r"([xo]?)(?:\(([^()\[\]]*)\)|\[([^()\[\]]*)\])")
_LEADING_ZEROS = re.compile(r"(?<![0-9])0{1,2}(?=[0-9]{1,2}(?![0-9]))")
APART = ", with blanks or commas between moves"


def numbering_of(name: str) -> Numbering:
    """Return the numbering of a name. Raises InputError, which lists the names, for another.

    >>> numbering_of("columns")
    <Numbering.COLUMNS: 'columns'>
    """
    if not is_one_of(name, tuple(Numbering)):
        raise InputError(f"{quote(name)} is no numbering: {expectation(name, Numbering)}")
    return Numbering(name)


def require_fit(game: Game, numbering: Numbering) -> None:
    """Raise InputError for columns in a game without gravity, where a column is no move."""
    if not goals(game, numbering):
        raise InputError(
            f"the numbering {numbering} is for games with gravity, and {game.name} has none: "
            f"expected {', '.join(numberings_of(game))}"
        )


def numberings_of(game: Game) -> list[Numbering]:
    """List the numberings that a game has: all, but no columns without gravity."""
    return [numbering for numbering in Numbering if goals(game, numbering)]


def goal_of(game: Game, move: object, numbering: Numbering = Numbering.CELLS) -> int:
    """Return the mask of the cells that a move may fill.

    A move is a text or a number; a pair may be a list, a tuple or a text such as ``(1, 2)``.
    Raises NumberingError for what is no move in this numbering.

    >>> tictactoe, connect4 = Game("tictactoe"), Game("connect4")
    >>> [goal_of(tictactoe, move) for move in (4, "4", "b2")]
    [16, 16, 16]
    >>> goal_of(tictactoe, [1, 0], Numbering.ROW_COLUMN) == 1 << 3
    True
    >>> goal_of(connect4, 3, Numbering.COLUMNS).bit_count()
    6
    """
    goal = goals(game, numbering).get(plain_move(move))
    if goal is None:
        raise NumberingError(refusal(game, move, numbering, [move]))
    return goal


def cell_of_move(
    game: Game, position: Position, move: object, numbering: Numbering = Numbering.CELLS
) -> int | None:
    """Return the cell that a move fills in a position; None where it is not legal.

    Raises NumberingError for what is no move in this numbering.

    >>> game = Game("connect4")
    >>> cell_of_move(game, Position(1 << 38, 0), "d"), cell_of_move(game, Position(0, 0), "d2")
    (31, None)
    """
    goal = goal_of(game, move, numbering)
    return next((cell for cell in game.legal_moves(position) if goal >> cell & 1), None)


def move_text(game: Game, cell: int, numbering: Numbering) -> str:
    """Write the move that fills a cell.

    >>> [move_text(Game("connect4"), 38, each) for each in (Numbering.COLUMNS, Numbering.NAMES)]
    ['3', 'd1']
    """
    require_fit(game, numbering)
    return _SPELLINGS[numbering](game, *divmod(cell, game.columns))[0]


def fitting(game: Game, moves: Iterable[object]) -> list[Numbering]:
    """List the numberings in which all of some texts and numbers are moves, legal or not.

    >>> [each.value for each in fitting(Game("tictactoe"), [9, 5])]
    ['cells-from-1', 'cells-by-column-from-1', 'cells-from-bottom-from-1']
    """
    moves = list(moves)
    return [numbering for numbering in Numbering if _has_all(game, moves, numbering)]


def separated(game: Game, moves: Sequence[Move], numbering: Numbering) -> Sequence[Move | str]:
    """Return some moves; if they are one text of several moves without separators, split it.

    Only where a move is one digit, or a letter and a digit, there are such texts. Raises
    NumberingError for one as ``04``, which may be one move or two.

    >>> separated(Game("connect4"), ["4453"], Numbering.COLUMNS_FROM_1)
    ['4', '4', '5', '3']
    >>> separated(Game("tictactoe"), ["b2a3"], Numbering.NAMES)
    ['b2', 'a3']
    >>> separated(Game("connect4"), ["4453"], Numbering.CELLS)
    ['4453']
    """
    if len(moves) != 1 or not isinstance(moves[0], str):
        return moves
    text = moves[0].strip().lower()
    texts = goals(game, numbering)
    if len(text) < 2 or text in texts or not all(map(_JOINABLE.fullmatch, texts)):
        return moves
    if text.isdecimal():
        is_joined = texts.keys() >= set(text)
        if is_joined and plain_move(text) in texts:
            raise NumberingError(
                f"{quote(text)} may be 1 move or {len(text)}: write '{plain_move(text)}' or "
                f"'{' '.join(text)}'"
            )
        return list(text) if is_joined or any(map(str.isdecimal, texts)) else moves
    any_move = "|".join(sorted(texts, key=len, reverse=True))
    return re.findall(any_move, text) if re.fullmatch(f"(?:{any_move})++", text) else moves


def out_of_turn(game: Game, moves: Sequence[object], numbering: Numbering) -> int | None:
    """Return which move, from 1, has the wrong mark before it, as the second of ``x3 x4``.

    >>> game, numbering = Game("connect4"), Numbering.COLUMNS
    >>> [out_of_turn(game, moves, numbering) for moves in (["3", "4", "x3", "o4"], ["x3", "x4"])]
    [None, 2]
    """
    if _MARKS[0] + move_text(game, 0, numbering) not in goals(game, numbering):
        return None
    marks = [plain_move(move)[:1] for move in moves]
    begins = next(((mark, at % 2) for at, mark in enumerate(marks) if mark in _MARKS), None)
    if begins is None:
        return None
    for at, mark in enumerate(marks):
        if mark in _MARKS and (mark == begins[0]) != (at % 2 == begins[1]):
            return at + 1
    return None


def plain_move(move: object) -> str:
    """Return a move as `goals` spells it; no text for what is neither text, number nor pair.

    >>> [plain_move(each) for each in (4, " B2 ", "x(2, 0)", [1, 2], [1, "2"])]
    ['4', 'b2', 'x2,0', '1,2', '']
    """
    if isinstance(move, list | tuple) and all(type(part) is int for part in move):
        return ",".join(map(str, move)) if len(move) == 2 else ""
    if isinstance(move, str):
        text = _AROUND_SIGNS.sub(r"\1", move.strip().lower())
        framed = _FRAMED.fullmatch(text)
        text = "".join(part or "" for part in framed.groups()) if framed else text
        return _LEADING_ZEROS.sub("", text)
    return str(move) if type(move) is int else ""


@cache
def cell_order(game: Game, numbering: Numbering) -> tuple[int, ...]:
    """Return the cells in the order of their numbers; row by row where they have no numbers.

    >>> cell_order(Game("2x3k2"), Numbering.BY_COLUMN_FROM_BOTTOM)
    (4, 2, 0, 5, 3, 1)
    """
    numbers = [move_text(game, cell, numbering) for cell in range(game.cells)]
    if not all(map(str.isdecimal, numbers)) or len({*numbers}) < game.cells:
        return tuple(range(game.cells))
    return tuple(sorted(range(game.cells), key=lambda cell: int(numbers[cell])))


@cache
def goals(game: Game, numbering: Numbering) -> Mapping[str, int]:
    """Return the goal of every plain text that is a move; none where the numbering does not fit."""
    if not game.gravity and numbering in (Numbering.COLUMNS, Numbering.COLUMNS_FROM_1):
        return {}
    goal_by_text: dict[str, int] = {}
    for cell in range(game.cells):
        for text in _SPELLINGS[numbering](game, *divmod(cell, game.columns)):
            goal_by_text[text] = goal_by_text.get(text, 0) | 1 << cell
    return goal_by_text


def refusal(game: Game, move: object, numbering: Numbering, moves: Iterable[object]) -> str:
    """Say that one of some moves is none, and which numberings have all of them."""
    others = fitting(game, moves)
    cure = f"; the option numbering chooses another: {', '.join(others)}"
    if not others or numbering in others:  # Without separators, a text may be several moves.
        cure = APART
    return (
        f"{quote(move)} is no move of {game.name} in the numbering {numbering}: "
        f"expected {extent(game, numbering)}{cure}"
    )


def extent(game: Game, numbering: Numbering) -> str:
    """Say which texts are the moves of a game.

    >>> extent(Game("connect4"), Numbering.CELLS)
    '0 to 41, a1 to g6 or a to g'
    """
    require_fit(game, numbering)
    cells = (divmod(cell, game.columns) for cell in range(game.cells))
    spelled = zip(*(_SPELLINGS[numbering](game, *cell) for cell in cells), strict=True)
    kinds = [sorted(texts, key=_natural) for texts in spelled]
    ranges = [f"{texts[0]} to {texts[-1]}" for texts in kinds if texts[0][0] not in _MARKS]
    *before, last = ranges or [kinds[0][0]]
    return f"{', '.join(before)} or {last}" if before else last


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


def _has_all(game: Game, moves: Sequence[Move], numbering: Numbering) -> bool:
    try:
        parted = separated(game, moves, numbering)
    except NumberingError:
        return False
    return {plain_move(move) for move in parted} <= goals(game, numbering).keys()


def _natural(text: str) -> list[tuple[int, str]]:
    """Return what sorts numbers in a text by their value, and letters by how many they are."""
    parts = re.findall(r"[0-9]+|[^0-9]+", text)
    return [(int(part) if part.isdecimal() else len(part), part) for part in parts]


def _number(count: Callable[[Game, int, int], int]) -> Spelling:
    return _with_marks(lambda game, row, column: (str(count(game, row, column)),))


def _pair(count: Callable[[int, int], tuple[int, int]]) -> Spelling:
    return _with_marks(lambda _game, row, column: ("{},{}".format(*count(row, column)),))


def _with_marks(spelling: Spelling) -> Spelling:
    def spelled(game: Game, row: int, column: int) -> tuple[str, ...]:
        texts = spelling(game, row, column)
        if len(texts) > 1 and game.columns > _FREE_COLUMNS:
            return texts
        return (*texts, *(mark + texts[0] for mark in _MARKS))

    return spelled


def _names(game: Game, row: int, column: int) -> tuple[str, ...]:
    letters = column_name(column)
    name = f"{letters}{game.rows - row}"
    return (name, letters) if game.gravity else (name,)


def _cells(game: Game, row: int, column: int) -> tuple[str, ...]:
    return (str(column + game.columns * row), *_names(game, row, column))


def _from_bottom(game: Game, row: int, column: int) -> int:
    return column + game.columns * (game.rows - 1 - row)


_SPELLINGS: Mapping[Numbering, Spelling] = {
    Numbering.CELLS: _with_marks(_cells),
    Numbering.CELLS_FROM_1: _number(lambda game, row, column: 1 + column + game.columns * row),
    Numbering.BY_COLUMN: _number(lambda game, row, column: row + game.rows * column),
    Numbering.BY_COLUMN_FROM_1: _number(lambda game, row, column: 1 + row + game.rows * column),
    Numbering.BY_COLUMN_FROM_BOTTOM: _number(
        lambda game, row, column: game.rows * (1 + column) - 1 - row
    ),
    Numbering.FROM_BOTTOM: _number(_from_bottom),
    Numbering.FROM_BOTTOM_FROM_1: _number(lambda *cell: 1 + _from_bottom(*cell)),
    Numbering.COLUMNS: _number(lambda _game, _row, column: column),
    Numbering.COLUMNS_FROM_1: _number(lambda _game, _row, column: 1 + column),
    Numbering.NAMES: _names,
    Numbering.NAMES_FROM_TOP: lambda _game, row, column: (f"{column_name(column)}{1 + row}",),
    Numbering.ROW_COLUMN: _pair(lambda row, column: (row, column)),
    Numbering.ROW_COLUMN_FROM_1: _pair(lambda row, column: (1 + row, 1 + column)),
    Numbering.COLUMN_ROW: _pair(lambda row, column: (column, row)),
    Numbering.COLUMN_ROW_FROM_1: _pair(lambda row, column: (1 + column, 1 + row)),
}
