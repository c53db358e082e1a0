"""Kaggle's ConnectX, with any board."""

from importlib import import_module
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Side
from marubatsu.judge.bridges.numbered_actions import Marks, action_for, mask_of


class KaggleEnvironment:
    """ConnectX, played by hand; circle is the agent with mark 1."""

    def __init__(self, name: str, columns: int = 7, rows: int = 6, inarow: int = 4) -> None:
        """Make the environment of a board. Raises GameError."""
        package: Any = import_module("kaggle_environments")
        self.game = Game(columns, rows, inarow, gravity=True)
        board = {"columns": columns, "rows": rows, "inarow": inarow}
        self._env = package.make(name, configuration=board)
        self.reset()

    def reset(self) -> None:
        """Begin a new game."""
        self._env.reset(2)
        self._marks = Marks(self.game)

    def play(self, cell: int) -> None:
        """Step with a column for whoever is active."""
        column = action_for(self.game, cell)
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
        return active[0].word if active else "nobody"

    def over(self) -> bool:
        """Return whether the environment is done."""
        return bool(self._env.done)

    def rewards(self) -> tuple[float | None, float | None]:
        """Return the agents' rewards for the whole game; None after an illegal move."""
        circle, cross = (agent.reward for agent in self._env.state)
        return circle, cross

    def observations(self) -> list[Position]:
        """Read the board that both agents share."""
        board = self._board()
        circle, cross = (mask_of(mark == number for mark in board) for number in (1, 2))
        return [Position(circle, cross)]

    def _board(self) -> list[int]:
        return list(self._env.state[0].observation.board)
