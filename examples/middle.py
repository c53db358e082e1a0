"""A player for any board: it takes the move in the middle of the list.

Audit it: marubatsu audit examples/middle.py:choose --game connect4 --sample 200
"""


def choose(board: str, legal_moves: list[int]) -> int:
    """Return the middle one of the legal moves, which are in ascending order."""
    return legal_moves[len(legal_moves) // 2]
