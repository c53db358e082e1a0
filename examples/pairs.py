"""An AI that answers with row and column: the first legal move.

Audit it: marubatsu audit examples/pairs.py:choose --answers row-column
"""


def choose(board: str, legal_moves: list[int]) -> tuple[int, int]:
    """Return the row and the column of the first legal move."""
    return divmod(legal_moves[0], 3)
