"""An agent for Kaggle's ConnectX: the first column that is not full.

Audit it: marubatsu audit examples/connectx_agent.py:agent --as connectx --game 4x4k3-gravity
"""

from typing import Any


def agent(observation: Any, configuration: Any) -> int:
    """Return a column; the board is flat, row by row from the top."""
    top: list[int] = observation.board[: configuration.columns]
    return top.index(0)
