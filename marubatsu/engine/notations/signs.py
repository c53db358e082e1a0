"""The signs that people write into the cells of a board, and the marks that they stand for.

``o`` and ``x`` have many shapes. Other pairs, such as ``1`` and ``2``, name no side: there the mark
of which there is one more began, and where there are as many of both, the reader must be given it.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

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
_SELECTOR = "\ufe0f"  # behind a sign: show it as an emoji


class UnclearMarksError(BoardError):
    """A board on which either of two marks may have begun."""


def half_width(text: str) -> str:
    """Return a text with the usual form of each sign, as many signs as before.

    >>> half_width("\uff2f\uff38\uff3f")
    'OX_'
    """
    if text.isascii():
        return text
    forms = (unicodedata.normalize("NFKC", sign) for sign in text.replace(_SELECTOR, ""))
    return "".join(
        form if len(form) == 1 else sign
        for form, sign in zip(forms, text.replace(_SELECTOR, ""), strict=True)
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
    """Return signs with empty cells where all numbers among them are those of their cells."""
    for numbering in _CELL_NUMBERS:
        names = [move_text(game, cell, numbering) for cell in range(game.cells)]
        numbers = [sign == name for sign, name in zip(plain, names, strict=True)]
        if plain[0] == "0" and sum(numbers) == 1 and EMPTY_CELL in plain:
            continue  # It may be the letter o.
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
