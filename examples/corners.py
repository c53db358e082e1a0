"""A plausible player with a flaw: it blocks and wins, and otherwise likes corners.

Audit it: marubatsu audit examples/corners.py:choose
"""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def choose(board: str, legal_moves: list[int]) -> list[int]:
    """Win, else block, else take a corner, else anything."""
    me = "o" if board.count("o") == board.count("x") else "x"
    for mark in (me, "x" if me == "o" else "o"):
        for line in LINES:
            marks = [board[cell] for cell in line]
            if marks.count(mark) == 2 and "." in marks:
                return [line[marks.index(".")]]
    return [move for move in legal_moves if move in (0, 2, 6, 8)] or legal_moves
