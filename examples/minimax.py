"""A perfect player in a few lines: it tries every line of play and remembers the positions.

Audit it: marubatsu audit examples/minimax.py:choose
"""

from functools import cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def choose(board: str, legal_moves: list[int]) -> list[int]:
    """Return every move that keeps the best result."""
    values = {move: value(after(board, move)) for move in legal_moves}
    return [move for move in legal_moves if values[move] == max(values.values())]


@cache
def value(board: str) -> int:
    """Return +1, 0 or -1: what the player who just moved gets."""
    if any(board[a] == board[b] == board[c] != "." for a, b, c in LINES):
        return 1
    moves = [cell for cell, mark in enumerate(board) if mark == "."]
    return -max((value(after(board, move)) for move in moves), default=0)


def after(board: str, move: int) -> str:
    """Return the board after a move of the side to move."""
    mark = "o" if board.count("o") == board.count("x") else "x"
    return board[:move] + mark + board[move + 1 :]
