"""The moves in a text or a list, and the position to which they lead."""

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from marubatsu.engine.notations.signs import half_width
from marubatsu.engine.rules.board_text import MARKS, BoardError
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.numbering import (
    APART,
    Numbering,
    NumberingError,
    extent,
    goals,
    move_text,
    numberings_of,
    out_of_turn,
    plain_move,
    separated,
)
from marubatsu.engine.rules.position import EMPTY, Position

_SIGNS = re.compile(r"[(\[,;|'\"]")
_SEPARATORS = re.compile(r"\s*[,;|]\s*|\s+")
_PAIRS = re.compile(r"[0-9]+,[0-9]+(?:[\s;|]+[0-9]+,[0-9]+)+(?:\s+(?![0-9]+\b\s*$)[^\s,]+)*")
"""Pairs, and words behind them such as a result."""

_BRACKETED = re.compile(r"[xo]?\([^()]*\)|\[[^\[\]]*\]|[^\s,;|()\[\]]+", re.IGNORECASE)
_GLUED = re.compile(r"[^\s,;|()\[\]xo][(\[]", re.IGNORECASE)  # as in 4(0:05)
_NUMPY_SCALAR = re.compile(r"\bnp\.\w+\(([^()\[\]]*)\)")
_QUOTES = str.maketrans("", "", "\"'")

_PAIR = re.compile(r"[oxOX]? ?[(\[]? ?[0-9]++ ?, ?[0-9]++ ?[)\]]?")
_MOVE = re.compile(r"[oxOX]?\([^()]*\)|\[[^\[\]]*\]|[^()\[\]]{1,3}")  # as in aa1


def tokens_of(text: str, *, has_pairs: bool = True) -> list[str]:
    """Return the moves in a text; blanks, commas, semicolons or bars stand between them.

    Pairs are in brackets, or several of them are separated by blanks; the latter are no pairs, but
    two moves each, unless the text ``has_pairs``.

    >>> tokens_of(" b2, a3 c1"), tokens_of("[4, 0, 8]")
    (['b2', 'a3', 'c1'], ['4', '0', '8'])
    >>> tokens_of("4,,8"), tokens_of("4] 0")
    (['4', '', '8'], ['4]', '0'])
    >>> tokens_of("x(1,1) o(0, 2)"), tokens_of("1, 1 0, 2 draw"), tokens_of("[[1, 1], [0, 2]]")
    (['x(1,1)', 'o(0, 2)'], ['1,1', '0,2', 'draw'], ['[1, 1]', '[0, 2]'])
    """
    text = without_types(half_width(text))
    if _SIGNS.search(text) is None:
        return text.split()
    text = _without_frame(text.translate(_QUOTES).strip())
    if set("([") & set(text):
        is_whole = not _BRACKETED.sub("", text).strip(" \t\r\n,;|") and not _GLUED.search(text)
        return _BRACKETED.findall(text) if is_whole else text.split()
    if has_pairs and _PAIRS.fullmatch(pairs := re.sub(r",\s+", ",", text)):
        return re.split(r"[\s;|]+", pairs)
    inside = text.strip(" \t\r\n,;|")
    return _SEPARATORS.split(inside) if inside else []


def without_types(text: str) -> str:
    """Return a text without the types that NumPy 2 writes around numbers in a list.

    >>> without_types("[np.int64(4), np.str_('x')]")
    "[4, 'x']"
    """
    return _NUMPY_SCALAR.sub(r"\1", text) if "np." in text else text


def _without_frame(text: str) -> str:
    """Return a text without the brackets around all of it, unless they are those of a pair."""
    if text[:1] not in ("(", "["):
        return text
    depths = list(accumulate((sign in "([") - (sign in ")]") for sign in text))
    if 0 in depths[:-1] or depths[-1] != 0:
        return text
    inside = text[1:-1].strip()
    is_pair = text[0] == "(" and set("([").isdisjoint(inside) and inside.count(",") == 1
    return text if is_pair else inside


def moves_in(
    game: Game, seen: str | list[Any], numbering: Numbering, *, is_stated: bool
) -> Sequence[object] | None:
    """Return the moves in a text or a list; None where it has none.

    Only a numbering that the user states reads moves without separators. Without it, pairs are read
    as pairs where they are legal moves in some numbering.

    >>> connect4 = Game("connect4")
    >>> moves_in(connect4, "4453", Numbering.COLUMNS_FROM_1, is_stated=True)
    ['4', '4', '5', '3']
    >>> moves_in(connect4, "4453", Numbering.CELLS, is_stated=False) is None
    True
    """
    if isinstance(seen, list):
        is_moves = all(_is_move(game, each, numbering) for each in seen)
        return seen if seen and is_moves else None
    if set("|/") & set(seen):
        return None
    tokens = tokens_of(seen)
    are_pairs = bool(tokens) and all(map(_PAIR.fullmatch, tokens))
    if _reads_pairs(game, numbering):
        spaced = " ".join(seen.split())
        pairs = tokens if are_pairs else _PAIR.findall(spaced)
        return pairs if pairs and not _PAIR.sub("", spaced).strip(" ,;[]()") else None
    if (
        are_pairs
        and not is_stated
        and any(_reads_pairs(game, n) for n in fitting_lines(game, seen))
    ):
        return tokens
    moves = tokens_of(seen, has_pairs=False)
    if is_stated and (several := separated(game, moves, numbering)) is not moves:
        return several
    is_named = all(plain_move(move) in goals(game, numbering) for move in moves)
    has_marks = any(plain_move(move) in MARKS for move in moves)
    has_numbers = any(map(str.isdecimal, seen)) and all(map(_MOVE.fullmatch, moves))
    is_board = has_marks and not is_named
    return moves if moves and not is_board and (is_named or has_numbers) else None


def position_after(
    game: Game, moves: Sequence[object], numbering: Numbering, given: object, seen: str | list[Any]
) -> Position:
    """Return the position to which moves lead, which are those of a text or a list as it was seen.

    Raises BoardError, which quotes what was given, and names the numberings that would fit.
    """
    wrong = out_of_turn(game, moves, numbering)
    if wrong is not None:
        raise BoardError(
            f"move {wrong} of {quote(given)}, {quote(moves[wrong - 1])}, has a mark that is not in "
            "turn: expected x and o by turns, or moves without marks"
        )
    position, count = _played(game, moves, numbering)
    if count == len(moves):
        return position
    legal = [move_text(game, each, numbering) for each in game.legal_moves(position)]
    expected = f"expected one of {', '.join(dict.fromkeys(legal))}"
    fits = fitting_lines(game, seen)
    if not legal:
        expected = "the game is over"
    elif plain_move(moves[count]) not in goals(game, numbering):
        expected = (
            f"{quote(moves[count])} is no move of {game.name} in the numbering {numbering}: "
            f"expected {extent(game, numbering)}{'' if fits else APART}"
        )
    what = "reads it as several moves" if numbering in fits else "chooses another"
    cure = f"; the option numbering {what}: {', '.join(fits)}" if fits else ""
    raise BoardError(
        f"move {count + 1} of {quote(given)}, {quote(moves[count])}, is not legal: {expected}{cure}"
    )


def fitting_lines(game: Game, seen: str | list[Any]) -> list[Numbering]:
    """List the numberings in which a text or a list is legal moves from the empty board.

    >>> [each.value for each in fitting_lines(Game("connect4"), "7777777")]
    []
    >>> [each.value for each in fitting_lines(Game("connect4"), "4 4 7")]
    ['columns-from-1']
    """
    numberings = []
    for numbering in numberings_of(game):
        try:
            moves = moves_in(game, seen, numbering, is_stated=True)
        except NumberingError:
            continue
        if moves and out_of_turn(game, moves, numbering) is None:
            numberings += [numbering] * (_played(game, moves, numbering)[1] == len(moves))
    return numberings


def _played(game: Game, moves: Sequence[object], numbering: Numbering) -> tuple[Position, int]:
    """Play moves up to the first that is not legal; return the position, and how many were."""
    position = EMPTY
    for count, move in enumerate(moves):
        goal = goals(game, numbering).get(plain_move(move), 0)
        cell = next((cell for cell in game.legal_moves(position) if goal >> cell & 1), None)
        if cell is None:
            return position, count
        position = game.play(position, cell)
    return position, len(moves)


def _reads_pairs(game: Game, numbering: Numbering) -> bool:
    return "," in move_text(game, 0, numbering)


def _is_move(game: Game, each: object, numbering: Numbering) -> bool:
    if isinstance(each, list):
        return len(each) == 2 and all(type(part) is int for part in each)
    if isinstance(each, str):
        is_pair = _PAIR.fullmatch(each) is not None
        return is_pair or each.isdecimal() or plain_move(each) in goals(game, numbering)
    return type(each) is int
