"""An evaluation: it counts the lines that are still open to each side, and looks no move ahead.

Audit it: marubatsu audit evaluation:examples/open_lines.py:value
"""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def value(board: str) -> int:
    """Return how good a board is for the player who just moved."""
    own, other = "xo" if board.count("o") == board.count("x") else "ox"
    lines = [[board[cell] for cell in line] for line in LINES]
    if [own] * 3 in lines:
        return 100
    if any(line.count(other) == 2 and line.count(".") == 1 for line in lines):
        return -100
    return sum(other not in line for line in lines) - sum(own not in line for line in lines)
