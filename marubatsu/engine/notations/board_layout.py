"""How the cells of a board are laid out in a text or a list: in a line, in rows, in a drawing.

`engine.notations.signs` reads the signs in the cells.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from marubatsu.engine.notations.signs import plain_sign
from marubatsu.engine.rules.board_text import EMPTY_CELL, MARKS
from marubatsu.engine.rules.game import Game

_Signs: TypeAlias = tuple[str, ...]
_Reader: TypeAlias = Callable[[str, int], _Signs | None]

_ROW_ENDS = re.compile(r"[/\n]|\\n")
_BARS = re.compile("[|│┃║]")
_FRAMED = re.compile(r"[|│┃║][^|│┃║]*[|│┃║]")
_RULE = frozenset(" |-_=+:~─━═│┃║┼╋╬├┤┬┴┌┐└┘┝┥╠╣╦╩╔╗╚╝╂")
_CLASS_LABELS = frozenset({"win", "loss", "draw", "positive", "negative"})
_ROW_NAME = re.compile(r"\s*([0-9]{1,2}|[A-Za-z])\s*([|:)]|\s)\s*")
_RUN_LENGTHS = re.compile("(?:[1-9]|[^0-9])+")
_MOST_STEPS = 4  # lines from row to row


class BoardLayout(NamedTuple):
    """The signs of all cells, in the order in which they are written."""

    signs: tuple[str, ...]
    in_rows: bool = False  # the top one first
    is_labelled: bool = False  # with the class of the position behind it, as in the UCI sets


def layouts_of_text(game: Game, text: str) -> Iterator[BoardLayout]:
    r"""Yield the ways to see a board in a text; none where it has other cells.

    >>> game = Game("3x2k2")
    >>> [layout.signs for text in ("o,x,,,,", "o|x| \n-+-+-\n | | ", "ox1/3")
    ...  for layout in layouts_of_text(game, text)]
    [('o', 'x', '', '', '', ''), ('o', 'x', '', '', '', ''), ('o', 'x', '.', '.', '.', '.')]
    """
    lines = _ROW_ENDS.split(text.replace("\r\n", "\n").replace("\r", "\n"))
    if ";" in text and "," in text and len(lines) == 1:
        lines = text.split(";")
    filled = [line for line in lines if line.strip()]
    if len(filled) > 1:
        yield from _drawings(game, filled) or _drawings(game, lines)
        return
    drawn = _drawings(game, lines) if len(lines) > 1 else []
    yield from drawn or _in_line(game, filled[0] if filled else lines[0])


def layouts_of_list(
    game: Game, cells: Sequence[object], *, by_column: bool
) -> Iterator[BoardLayout]:
    """Yield the ways to see a board in a list of signs, of lists of them, or of rows as texts."""
    parts = [each if isinstance(each, list) else [each] for each in cells]
    signs = [sign for part in parts for sign in part]
    shape = [game.rows] * game.columns if by_column else [game.columns] * game.rows
    rows = [each for each in cells if isinstance(each, str)]
    if any(isinstance(sign, list) for sign in signs):
        return
    if list(map(len, parts)) in (shape, [1] * game.cells):
        yield BoardLayout(tuple("" if sign is None else str(sign) for sign in signs))
    elif len(rows) == len(cells) == game.rows > 1:
        yield from _drawings(game, rows)


def signs_in(line: str) -> int:
    """Return the number of signs in a line.

    >>> signs_in("o.x"), signs_in("o,x,,"), signs_in("o.x ...")
    (3, 4, 6)
    """
    parts = _split(line)
    return len(parts) if parts != line.split() else len("".join(parts))


def _in_line(game: Game, line: str) -> Iterator[BoardLayout]:
    parts = _split(line)
    signs = _cells(line, game.cells)
    is_list_of_fewer = all(len(part) == 1 for part in line.strip("\n").split(" "))
    if signs is None and not is_list_of_fewer:
        signs = _with_blanks(line, game.cells)
    if signs is not None:
        yield BoardLayout(signs)
    elif len(parts) == game.cells + 1 and parts[-1].lower() in _CLASS_LABELS:
        yield BoardLayout(tuple(parts[:-1]), is_labelled=True)
    elif len(parts) == game.rows > 1:
        yield from _drawings(game, parts)


def _drawings(game: Game, lines: Sequence[str]) -> list[BoardLayout]:
    """Return the boards in rows, which rules and the names of rows and columns may surround."""
    readers: Sequence[_Reader] = (_cells, _with_blanks, _run_lengths)
    signs_of_rows = (
        _read_rows(rows, game.columns, read)
        for lines_read in _rows_among(game, lines)
        for rows in (lines_read, *_unnamed(lines_read), _unframed(lines_read))
        for read in readers
    )
    return [BoardLayout(signs, in_rows=True) for signs in dict.fromkeys(signs_of_rows) if signs]


def _rows_among(game: Game, lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines that may be the rows, at equal steps; the others are rules."""
    bodies = [lines]
    bodies += [lines[1:]] if _names_columns(game, lines[0]) else []
    bodies += [lines[:-1]] if _names_columns(game, lines[-1]) else []
    for body in bodies:
        for step in range(1, _MOST_STEPS + 1):
            for start in range(step + 1):
                at = range(start, start + step * game.rows, step)
                others = (line for place, line in enumerate(body) if place not in at)
                is_all = 0 < len(body) - at[-1] <= step + 1
                if is_all and all(_RULE.issuperset(line) for line in others):
                    yield [body[place] for place in at]


def _names_columns(game: Game, line: str) -> bool:
    names = [name for name in re.split(r"[\s|]+", line) if name]
    names = list(names[0]) if len(names) == 1 else names
    return len(names) == game.columns and _is_sequence(names)


def _is_sequence(names: Sequence[str]) -> bool:
    """Return whether names count up or down: numbers or letters.

    >>> [_is_sequence(names) for names in ("321", "abc", "xox", "4")]
    [True, True, False, False]
    """
    is_numbers = all(map(str.isdecimal, names))
    if not is_numbers and not all(len(name) == 1 and name.isalpha() for name in names):
        return False
    numbers = [int(name) if is_numbers else ord(name.lower()) for name in names]
    return {after - before for before, after in pairwise(numbers)} in ({1}, {-1})


def _unnamed(rows: Sequence[str]) -> list[list[str]]:
    """Return rows without the names in front of them, with and without the sign behind a name."""
    named = [_ROW_NAME.match(row) for row in rows]
    if not _is_sequence([each[1] if each else "" for each in named]):
        return []
    parted = [(each, row) for each, row in zip(named, rows, strict=True) if each]
    return [
        [row[each.end() :] for each, row in parted],
        [row[each.start(2) :] for each, row in parted],
    ]


def _unframed(rows: Sequence[str]) -> list[str]:
    """Return rows without the bars around them; none where bars stand between cells."""
    framed = [row.strip() for row in rows]
    is_framed = all(_FRAMED.fullmatch(row) for row in framed)
    return [row[1:-1] for row in framed] if is_framed else []


def _read_rows(rows: Sequence[str], columns: int, read: _Reader) -> _Signs | None:
    signs = [read(row, columns) for row in rows]
    if not rows or None in signs:
        return None
    return tuple(sign for row in signs for sign in row or ())


def _cells(line: str, count: int) -> _Signs | None:
    """Return the signs of a line: apart, or without anything between them.

    A bar or a separator at the end of a line encloses no further cell.
    """
    parts = _split(line)
    ends = parts[:1] == [""], parts[-1:] == [""]
    if len(parts) == count + 2 and all(ends):
        parts = parts[1:-1]
    elif len(parts) == count + 1 and any(ends) and not all(ends):
        parts = parts[1:] if ends[0] else parts[:-1]
    if len(parts) == count:
        return tuple(parts)
    glued = "".join(line.split())
    return tuple(glued) if len(glued) == count and parts == line.split() else None


def _split(line: str) -> list[str]:
    """Split a line at bars, or else commas, semicolons or tabs, or else blanks."""
    if _BARS.search(line):
        return [part.strip() for part in _BARS.split(line)]
    separator = next((each for each in ",;\t" if each in line), None)
    return [part.strip() for part in line.split(separator)] if separator else line.split()


def _with_blanks(line: str, count: int) -> _Signs | None:
    """Return the signs of a line in which only a blank is an empty cell."""
    is_marks = all(sign == " " or plain_sign(sign) in MARKS for sign in line)
    return tuple(line.replace(" ", EMPTY_CELL)) if len(line) == count and is_marks else None


def _run_lengths(line: str, count: int) -> _Signs | None:
    """Return the signs of a row in which a digit counts empty cells, as in FEN for chess.

    >>> _run_lengths("x1o", 3), _run_lengths("4", 3)
    (('x', '.', 'o'), None)
    """
    glued = "".join(line.split())
    if not _RUN_LENGTHS.fullmatch(glued):
        return None
    signs = "".join(EMPTY_CELL * int(sign) if sign.isdecimal() else sign for sign in glued)
    return tuple(signs) if len(signs) == count else None
