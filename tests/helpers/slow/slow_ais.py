"""The AIs of the series a second way, on board text by coordinates, as slowly as their rules read.

Nothing here knows the engine: a move is a cell, a value is a fraction, the rules are those of the
tutorial series for the 3x3 board.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

LINES = (
    "012", "345", "678", "036", "147", "258", "048", "246",
)  # fmt: skip
CORNERS = (0, 2, 6, 8)
EDGES = (1, 3, 5, 7)


@cache
def has_won(board: str, mark: str) -> bool:
    return any(all(board[int(cell)] == mark for cell in line) for line in LINES)


def mark_to_move(board: str) -> str:
    return "o" if board.count("o") == board.count("x") else "x"


def empty(board: str) -> list[int]:
    return [cell for cell in range(9) if board[cell] == "."]


def filled(board: str, cell: int, mark: str) -> str:
    return board[:cell] + mark + board[cell + 1 :]


def candidates_by_rule(name: str, board: str) -> list[int]:
    """Return what ai1 to ai7 may choose."""
    moves, me = empty(board), mark_to_move(board)
    you = "x" if me == "o" else "o"
    if name == "ai1":
        return [min(moves)]
    if name in {"ai3", "ai4", "ai7"} and 4 in moves:
        return [4]
    if name == "ai4":
        for corner in CORNERS:
            if corner in moves:
                return [corner]
    if name in {"ai6", "ai7"} and len(moves) == 1:
        return moves
    if name in {"ai5", "ai6", "ai7"}:
        for move in moves:
            if has_won(filled(board, move, me), me):
                return [move]
    if name in {"ai6", "ai7"}:
        for move in moves:
            if has_won(filled(board, move, you), you):
                return [move]
    return moves


@cache
def patterns(board: str, mover: str) -> Callable[[int, int, int], int]:
    """Count lines by (marks of who just moved, marks of the other, empty cells)."""
    seen: dict[tuple[int, int, int], int] = {}
    for line in LINES:
        cells = [board[int(cell)] for cell in line]
        own, gaps = cells.count(mover), cells.count(".")
        key = (own, 3 - own - gaps, gaps)
        seen[key] = seen.get(key, 0) + 1
    return lambda *key: seen.get(key, 0)


def value(name: str, board: str, move: int) -> Fraction:
    """Return what ai1s to ai14s think of the position after a move."""
    me = mark_to_move(board)
    after = filled(board, move, me)
    n = patterns(after, me)
    won, threats = has_won(after, me), n(0, 2, 1)
    own2, own1, opp1 = n(2, 0, 1), n(1, 0, 2), n(0, 1, 2)
    special = (
        after.count(".") == 5
        and after[4] == "x"
        and (after[0] + after[8] == "oo" or after[2] + after[6] == "oo")
        and "x" in [after[cell] for cell in EDGES]
    )
    number = int(name[2:-1])
    x, y = move % 3, move // 3
    if number == 1:
        return Fraction(8 - (x + 3 * y))
    if number == 2:
        return Fraction(0)
    if number == 3:
        return Fraction(1 if move == 4 else 0)
    if number == 4:
        return Fraction(10 if move == 4 else 9 - (x + 3 * y) if move in CORNERS else 0)
    centre = {7: 2, 8: 3, 9: 4, 10: 300, 11: 300}
    victory = {5: 1, 6: 1, 7: 1, 8: 2, 9: 3, 10: 200, 11: 200, 12: 300, 13: 300, 14: 300}
    if number in centre and move == 4:
        return Fraction(centre[number])
    if won:
        return Fraction(victory[number])
    if number == 5:
        return Fraction(0)
    score = Fraction(0)
    if threats > 0:
        if number < 13:
            return Fraction(-1 if number < 10 else -100)
        if number == 13:
            return Fraction(-100 * threats)
        score = Fraction(-100 * threats)
    elif number >= 9 and own2 >= 2:
        return Fraction({9: 2, 10: 100, 11: 100}.get(number, 200))
    if number >= 12 and special:
        return Fraction(100)
    if number in {6, 7}:
        return Fraction(0)
    if number in {8, 9}:
        return Fraction(1 if own2 > 0 else 0)
    if number == 10:
        return Fraction((1 if own2 == 1 else 0) + own1)
    return score + (2 if own2 == 1 else 0) + Fraction(own1, 2) - opp1
