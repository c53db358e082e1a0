"""Agents of Kaggle's ConnectX: a function of observation and configuration that returns a column.

An answer is checked as kaggle-environments 1.33.2 does: by a JSON schema, whose default is 0. In
games without gravity, where Kaggle has none, an action is a cell in our numbering.
"""

from typing import Any

from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.rules.game import Game
from marubatsu.judge.bridges.actions import action_of, marks_of
from marubatsu.judge.bridges.interfaces import cell_of_answer, require_function

_TIMES = {"episodeSteps": 1000, "actTimeout": 2, "runTimeout": 1200, "agentTimeout": 60,
          "timeout": 2}  # fmt: skip
"""The rest of Kaggle's own configuration; the time of an agent is limited by ``--timeout``."""

_OVERAGE = 60  # seconds that Kaggle would give besides

_TAKES = "Kaggle takes an int of Python: convert a float or a number of NumPy with int()"


class Struct(dict[str, Any]):
    """Named values, read by item and by attribute, as Kaggle's."""

    def __init__(self, **values: Any) -> None:
        """Take the values."""
        super().__init__(values)
        self.__dict__ = self


def chooser(agent: Any, game: Game) -> Choose:
    """Return an agent as a function of ours.

    As there, a function gets as many of both arguments as its code names, another callable both.
    """
    function = require_function(agent, "f(observation, configuration)")
    count = getattr(getattr(function, "__code__", None), "co_argcount", 2)

    def choose(board: str, legal: list[int]) -> int:
        marks = marks_of(board)
        step = len(marks) - marks.count(0)
        observation = Struct(
            remainingOverageTime=_OVERAGE, step=step, board=marks, mark=step % 2 + 1
        )
        configuration = Struct(columns=game.columns, rows=game.rows, inarow=game.run, **_TIMES)
        answer = function(*(observation, configuration)[:count])
        cell_of = {action_of(game, cell): cell for cell in legal}
        return cell_of_answer(cell_of, answer, _action(answer), _TAKES)

    return choose


def _action(answer: Any) -> int | None:
    """Return the action that Kaggle reads in an answer, None when it refuses the answer.

    No answer is action 0. A float such as 3.0 fits the schema, but breaks the game.
    """
    if answer is None:
        return 0
    return answer if isinstance(answer, int) and not isinstance(answer, bool) else None
