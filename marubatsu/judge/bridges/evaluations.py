"""Evaluations as agents: a function from a board to how good it is for the player who just moved.

Each legal move is played, and the boards after them are valued, also won and drawn ones. The moves
to the boards with the greatest value are the candidates. Values are compared as they are returned:
two are equal only when Python says so.
"""

from typing import Any

from marubatsu.engine.ais.ai import best
from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.rules.board_text import EMPTY_CELL
from marubatsu.judge.bridges.interfaces import AnswerError, require_function


def chooser(agent: Any, marks: str) -> Choose:
    """Return an evaluation as a function of ours; the first of both marks begins."""
    function = require_function(agent, "f(board) that returns a number")

    def choose(board: str, legal: list[int]) -> list[int]:
        mark = marks[(len(board) - board.count(EMPTY_CELL)) % 2]
        afterstates = [board[:cell] + mark + board[cell + 1 :] for cell in legal]
        values = [_number(function(after), after) for after in afterstates]
        return best(legal, values)

    return choose


def _number(value: Any, board: str) -> Any:
    """Return the value of a board. Raises AnswerError for what is no number, such as NaN."""
    try:
        is_number = hasattr(value, "__float__") and float(value) == float(value)
    except OverflowError:  # It is too large for a float, and a number all the same.
        is_number = True
    except (TypeError, ValueError):
        is_number = False
    if not is_number or isinstance(value, bool):
        raise AnswerError("wrong answer", f"{value!r} for {board}", "expected a number")
    return value
