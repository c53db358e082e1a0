"""The signs that people write into the cells of a board, and the marks that they stand for.

The cells are laid out in a line, in rows, or in a drawing.

``o`` and ``x`` have many shapes. Other pairs, such as ``1`` and ``2``, name no side: there the mark
of which there is one more began, and where there are as many of both, the reader must be given it.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from marubatsu.engine.rules.board_text import EMPTY_CELL, MARKS, BoardError
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError, quote
from marubatsu.engine.rules.numbering import Numbering, move_text

_CIRCLE, _CROSS = MARKS[0], MARKS[1]
_SHAPES: Mapping[str, Sequence[str]] = {
    _CIRCLE: ("o", "〇", "○", "◯", "⭕", "⚪", "🅾", "о", "circle", "nought"),  # noqa: RUF001
    _CROSS: ("x", "×", "✕", "✖", "✗", "✘", "❌", "❎", "╳", "х", "cross"),  # noqa: RUF001
    EMPTY_CELL: (
        "", ".", "-", "_", "・", "·", "•", "∙", "⋅", "␣", "⬜", "◻", "◽", "□", "☐", "▢",
        "none", "null", "nan", "empty", "blank",
    ),
}  # fmt: skip
_BY_SHAPE = {shape: sign for sign, shapes in _SHAPES.items() for shape in shapes}
_MAY_BE_EMPTY = frozenset("ben?*#~+")  # where it is the only sign of empty cells
_PAIRS = (
    (_CIRCLE, _CROSS), ("1", "2"), ("1", "-1"), ("r", "y"), ("red", "yellow"), ("🔴", "🟡"),
    ("🔴", "🔵"), ("●", _CIRCLE), ("⚫", _CIRCLE),
)  # fmt: skip
"""The marks of both sides; only ours say which side begins."""

_DISCS, _BESIDE = ("⚪", "⚫"), ("⭕", "❌", "🔴")
"""Signs of marks, one of which may mean an empty cell next to other signs."""

_CELL_NUMBERS = (Numbering.CELLS, Numbering.CELLS_FROM_1, Numbering.FROM_BOTTOM_FROM_1)
"""How drawings number their cells."""

_NUMBERS = frozenset({"0", "1", "2", "-1"})

_NUMBER = re.compile(r"([+-]?)0*([0-9]+)(?:\.0*)?")
_UNSEEN = str.maketrans("", "", "\ufe0f\u20e3")  # behind a sign: show it as an emoji, as a key


class UnclearMarksError(BoardError):
    """A board on which either of two marks may have begun."""


def half_width(text: str) -> str:
    """Return a text with the usual form of each sign, and only that.

    >>> half_width("\uff2f\uff38\uff3f")
    'OX_'
    """
    if text.isascii():
        return text
    signs = text.translate(_UNSEEN)
    forms = (unicodedata.normalize("NFKC", sign) for sign in signs)
    return "".join(
        form if len(form) == 1 else sign for form, sign in zip(forms, signs, strict=True)
    )


@lru_cache(1024)
def plain_sign(text: str) -> str:
    """Return the sign in a cell as ``o``, ``x``, ``.``, a whole number, or else in small letters.

    >>> [plain_sign(text) for text in (" X ", "None", "-1.0", "_O_", "___", "B")]
    ['x', '.', '-1', 'o', '.', 'b']
    """
    sign = half_width(text).strip().strip("_").strip().lower()
    number = _NUMBER.fullmatch(sign)
    if number:
        return ("-" if number[1] == "-" and number[2] != "0" else "") + number[2]
    return _BY_SHAPE.get(sign, sign)


def first_mark(first: object) -> str:
    """Return the sign of the mark that begins. Raises InputError for what is no mark.

    >>> first_mark("X"), first_mark("1"), first_mark("cross")
    ('x', '1', 'x')
    """
    sign = plain_sign(first) if isinstance(first, str) else ""
    if not any(sign in pair for pair in _PAIRS):
        raise InputError(
            f"the option first={quote(first)}: expected o or x, the mark of the side that begins"
        )
    return sign


def first_note(first: str) -> str | None:
    """Say which mark of the user's boards is circle; None where it is ``o``."""
    mark = first_mark(first)
    if mark == _CIRCLE:
        return None
    return f"{mark} begins on your boards: it is o, circle, in what follows"


def boards_of(
    game: Game, text: object, signs: Sequence[str], first: str, *, in_rows: bool
) -> list[str]:
    """Return the boards, in our marks, that the signs of all cells in their order may stand for.

    In a drawing and among marks, an empty cell may have its number as its sign. Raises BoardError,
    which quotes a sign without a meaning, or names what is unclear.
    """
    discs = {half_width(sign).strip() for sign in signs} & {*_DISCS, *_BESIDE}
    empty = discs & {*_DISCS} if discs & {*_BESIDE} else set()
    plain: Sequence[str] = [
        EMPTY_CELL if len(empty) == 1 and half_width(sign).strip() in empty else plain_sign(sign)
        for sign in signs
    ]
    if any(map(str.isdecimal, plain)) and (in_rows or not set(MARKS).isdisjoint(plain)):
        plain = _without_numbers(game, plain)
    boards = [_board(text, plain, pair, first) for pair in _PAIRS]
    read = list(dict.fromkeys(board for board in boards if board is not None))
    if not read and first not in (*MARKS, *plain):
        raise BoardError(
            f"{quote(text)} has no {first!r}, and the option first says that it begins"
        )
    if not read:
        raise _unknown(text, signs, plain)
    return read


def _without_numbers(game: Game, plain: Sequence[str]) -> Sequence[str]:
    """Return signs with empty cells where all numbers among them are those of their cells.

    Next to another sign of empty cells, as in ``.1.``, a number may be a mark.
    """
    if not {EMPTY_CELL, *_MAY_BE_EMPTY}.isdisjoint(plain):
        return plain
    for numbering in _CELL_NUMBERS:
        names = [move_text(game, cell, numbering) for cell in range(game.cells)]
        numbers = [sign == name for sign, name in zip(plain, names, strict=True)]
        if any(numbers) and sum(map(str.isdecimal, plain)) == sum(numbers):
            return [EMPTY_CELL if n else sign for n, sign in zip(numbers, plain, strict=True)]
    return plain


def _board(text: object, plain: Sequence[str], pair: tuple[str, str], first: str) -> str | None:
    """Return the board of a pair of marks; None where the signs are others.

    All empty cells have one sign.
    """
    one, other = pair
    empty = set(plain).difference(pair)
    own = {EMPTY_CELL, *_MAY_BE_EMPTY} if "1" not in pair else {EMPTY_CELL, *_MAY_BE_EMPTY, "0"}
    is_other = first not in (*MARKS, *pair)
    if is_other or len(empty) > 1 or not empty <= own:
        return None
    counts = {sign: plain.count(sign) for sign in pair}
    if pair == tuple(MARKS):
        begins = _CROSS if first == _CROSS else _CIRCLE
    elif first in pair and first not in MARKS:
        begins = first
    elif counts[one] != counts[other] or not counts[one]:
        begins = one if counts[one] >= counts[other] else other
    else:
        raise UnclearMarksError(
            f"{quote(text)} has as many {quote(one)} as {quote(other)}, so either may have begun: "
            f"write o for the mark that began and x for the other, or use the option first={one!r}"
        )
    marks = dict.fromkeys(empty, EMPTY_CELL) | dict.fromkeys(pair, _CROSS) | {begins: _CIRCLE}
    return "".join(marks[sign] for sign in plain)


def _unknown(text: object, signs: Sequence[str], plain: Sequence[str]) -> BoardError:
    """Return the error for a sign with no meaning, or with two."""
    clear = {EMPTY_CELL, *MARKS}
    others = [cell for cell, sign in enumerate(plain) if sign not in clear]
    is_numbers = set(MARKS).isdisjoint(plain)
    strange = [
        cell
        for cell in others
        if plain[cell] not in _MAY_BE_EMPTY and not (is_numbers and plain[cell] in _NUMBERS)
    ]
    doubled = [cell for cell in others if plain[cell] in {*_MAY_BE_EMPTY, "0"}]
    cell = (strange or doubled or others)[0]
    why = ""
    if plain[cell] == "0" and not is_numbers:
        why = ", which may be an empty cell or a circle"
    elif plain[cell] in {*_MAY_BE_EMPTY, "0"}:
        why = ", and other empty cells have another sign"
    return BoardError(
        f"cell {cell} of {quote(text)} is {quote(signs[cell])}{why}: expected '.' for an empty "
        "cell, 'o' for circle or 'x' for cross"
    )


_Signs: TypeAlias = tuple[str, ...]
_Reader: TypeAlias = Callable[[str, int], _Signs | None]

_ROW_ENDS = re.compile(r"[/\n]|\\n")
_BARS = re.compile("[|│┃║]")
_FRAMED = re.compile(r"[|│┃║][^|│┃║]*[|│┃║]")
_RULE = frozenset(" |-_=+:~─━═│┃║┼╋╬├┤┬┴┌┐└┘┝┥╠╣╦╩╔╗╚╝╂╭╮╰╯")
_RULE_OF_CELL = re.compile("-{3,}|:-+:?|-+:")  # in a table of Markdown
_CLASS_LABELS = frozenset({"win", "loss", "draw", "positive", "negative"})
_ROW_NAME = re.compile(r"\s*\|?\s*([0-9]{1,2}|[A-Za-z])\s*([|:)]|\s)\s*")
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
        rows = [line for line in filled if not _is_table_rule(line)]
        yield from _drawings(game, rows or filled) or _drawings(game, lines)
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
        signs = with_blanks(line, game.cells)
    if signs is not None:
        yield BoardLayout(signs)
    elif len(parts) == game.cells + 1 and parts[-1].lower() in _CLASS_LABELS:
        yield BoardLayout(tuple(parts[:-1]), is_labelled=True)
    elif len(parts) == game.rows > 1:
        yield from _drawings(game, parts)


def _drawings(game: Game, lines: Sequence[str]) -> list[BoardLayout]:
    """Return the boards in rows, which rules and the names of rows and columns may surround."""
    readers: Sequence[_Reader] = (_cells, with_blanks, _run_lengths)
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


def _is_table_rule(line: str) -> bool:
    """Return whether a line is the rule of a table in Markdown, below any of its rows.

    >>> _is_table_rule("|---|:-:|"), _is_table_rule("---"), _is_table_rule("|-|-|")
    (True, False, False)
    """
    cells = _BARS.split(line.strip(" |"))
    return "|" in line and all(_RULE_OF_CELL.fullmatch(cell.strip()) for cell in cells)


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
    if _BARS.search(line):
        return [part.strip() for part in _BARS.split(line)]
    separator = next((each for each in ",;\t" if each in line), None)
    return [part.strip() for part in line.split(separator)] if separator else line.split()


def with_blanks(line: str, count: int) -> _Signs | None:
    """Return the signs of a line in which only a blank is an empty cell."""
    is_marks = all(sign == " " or plain_sign(sign) in MARKS for sign in line)
    return tuple(line.replace(" ", EMPTY_CELL)) if len(line) == count and is_marks else None


def _run_lengths(line: str, count: int) -> _Signs | None:
    """Return the signs of a row in which a digit counts empty cells, as in FEN for chess.

    >>> _run_lengths("x1o", 3), _run_lengths("4", 3)
    (('x', '.', 'o'), None)
    """
    glued = "".join(line.split())
    if not _RUN_LENGTHS.fullmatch(glued) or (count < 10 and re.search("[0-9]{2}", glued)):
        return None  # Two lengths in a row would be one.
    signs = "".join(EMPTY_CELL * int(sign) if sign.isdecimal() else sign for sign in glued)
    return tuple(signs) if len(signs) == count else None
