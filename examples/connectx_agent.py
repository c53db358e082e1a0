"""An agent for Kaggle's ConnectX: the first column that is not full.

Audit it: marubatsu audit examples/connectx_agent.py:agent --as connectx --game 4x4k3-gravity
"""

from typing import Any


def agent(observation: Any, configuration: Any) -> int:
    """Return a column: the first empty cell is in the top row, and its number is the column's."""
    first: int = observation.board.index(0)
    return first
