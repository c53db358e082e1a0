"""Agents of Kaggle's ConnectX: a function of observation and configuration that returns a column.

In games without gravity, where Kaggle has none, an action is a cell in our numbering.
"""

from typing import Any

from marubatsu.engine.players.by_function import Choose
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.frameworks.actions import action_of, marks_of
from marubatsu.pipeline.frameworks.interfaces import accepts, cell_of_answer, require_function

_TIMES = {"episodeSteps": 1000, "actTimeout": 2, "runTimeout": 1200, "agentTimeout": 60,
          "timeout": 2}  # fmt: skip
"""The rest of Kaggle's own configuration; the time of an agent is limited by ``--timeout``."""

_OVERAGE = 60  # seconds that Kaggle would give besides


class Struct(dict[str, Any]):
    """Named values, read by item and by attribute, as Kaggle's."""

    def __init__(self, **values: Any) -> None:
        """Take the values."""
        super().__init__(values)
        self.__dict__ = self


def chooser(agent: Any, game: Game) -> Choose:
    """Return an agent as a function of ours; it may leave out the configuration, as there."""
    function = require_function(agent, "f(observation, configuration)")
    takes_both = accepts(function, 2)

    def choose(board: str, legal: list[int]) -> int:
        marks = marks_of(board)
        step = len(marks) - marks.count(0)
        observation = Struct(
            remainingOverageTime=_OVERAGE, step=step, board=marks, mark=step % 2 + 1
        )
        configuration = Struct(columns=game.columns, rows=game.rows, inarow=game.run, **_TIMES)
        answer = function(observation, configuration) if takes_both else function(observation)
        return cell_of_answer({action_of(game, cell): cell for cell in legal}, answer)

    return choose
