"""Kaggle's ConnectX: its agents asked here, ours as one of them, its environment to be walked.

An agent is a function of observation and configuration that returns a column. An answer is checked
as kaggle-environments 1.33.2 does: by a JSON schema, whose default is 0. In games without gravity,
where Kaggle has none, an action is a cell in our numbering.
"""

from importlib import import_module
from typing import Any

from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Side
from marubatsu.judge.agents.interfaces import cell_of_answer, require_function
from marubatsu.judge.bridges.actions import (
    Marks,
    action_or_invalid,
    cells_by_action,
    marks_of,
    mask_of,
)

_TIMES = {"episodeSteps": 1000, "actTimeout": 2, "runTimeout": 1200, "agentTimeout": 60,
          "timeout": 2}  # fmt: skip
"""The rest of Kaggle's own configuration; the time of an agent is limited by ``--timeout``."""

_OVERAGE = 60  # seconds that Kaggle would give besides

_TAKES = "Kaggle takes an int of Python: convert a float or a number of NumPy with int()"


class Struct(dict[str, Any]):
    """Named values, read by item and by attribute, as Kaggle's."""

    def __init__(self, **values: Any) -> None:
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
        return cell_of_answer(cells_by_action(game, legal), answer, _action(answer), _TAKES)

    return choose


def _action(answer: Any) -> int | None:
    """Return the action that Kaggle reads in an answer, None when it refuses the answer.

    No answer is action 0. A float such as 3.0 fits the schema, but breaks the game.
    """
    if answer is None:
        return 0
    return answer if isinstance(answer, int) and not isinstance(answer, bool) else None


class FrameworkEnvironment:
    """ConnectX, played by hand; circle is the agent with mark 1."""

    def __init__(self, name: str, columns: int = 7, rows: int = 6, inarow: int = 4) -> None:
        package: Any = import_module("kaggle_environments")
        self.game = Game(columns, rows, inarow, gravity=True)
        board = {"columns": columns, "rows": rows, "inarow": inarow}
        self._env = package.make(name, configuration=board)
        self.reset()

    def reset(self) -> None:
        self._env.reset(2)
        self._marks = Marks(self.game)

    def play(self, cell: int) -> None:
        column = action_or_invalid(self.game, cell)
        active = [agent.status == "ACTIVE" for agent in self._env.state]
        self._env.step([column if acts else None for acts in active])
        self._marks.fill(cell)

    def legal_moves(self) -> list[int]:
        """Return the columns whose top cell is empty: ConnectX has no other list of them."""
        if self.over():
            return []
        columns, board = range(self.game.columns), self._board()
        return self._marks.cells_of(column for column in columns if not board[column])

    def turn(self) -> str:
        """Return the side of the active agent, which there is none of at the end."""
        active = [side for side in Side if self._env.state[side].status == "ACTIVE"]
        return active[0].word if active else "no side"

    def over(self) -> bool:
        return bool(self._env.done)

    def rewards(self) -> tuple[float | None, float | None]:
        """Return the agents' rewards for the whole game; None after an illegal move."""
        circle, cross = (agent.reward for agent in self._env.state)
        return circle, cross

    def observations(self) -> list[Position]:
        board = self._board()
        circle, cross = (mask_of(mark == number for mark in board) for number in (1, 2))
        return [Position(circle, cross)]

    def _board(self) -> list[int]:
        return list(self._env.state[0].observation.board)
