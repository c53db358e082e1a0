"""An AI as the tutorial series writes them: it takes the first column with an empty cell.

Audit it: marubatsu audit examples/series_ai.py:ai --as series
"""

from marubatsu import Marubatsu


def ai(mb: Marubatsu, debug: bool = False) -> tuple[int, int]:  # noqa: FBT001, FBT002, as there
    """Return a move (x, y)."""
    move: tuple[int, int] = min(mb.calc_legal_moves())
    if debug:
        print(mb, move)
    return move
