"""PettingZoo's environments for two players that take turns: tictactoe_v3 and connect_four_v3."""

import logging
from importlib import import_module
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Side
from marubatsu.judge.bridges.numbered_actions import (
    Marks,
    action_for,
    mask_of,
    numbers,
    ordered,
)

GAMES = {"tictactoe_v3": "tictactoe", "connect_four_v3": "connect4"}


class PettingZooEnvironment:
    """An AEC environment; circle is the first of its agents.

    Actions and observations are read as its documentation numbers them: in tictactoe_v3 an action
    counts down the columns, 0 3 6 in the top row. Element [row, column] of a plane is a cell.
    """

    def __init__(self, name: str) -> None:
        """Make the environment of a name in ``GAMES``."""
        self.game = Game(GAMES[name])
        self._env: Any = import_module(f"pettingzoo.classic.{name}").env()
        self._by_columns = name == "tictactoe_v3"
        logging.getLogger("pettingzoo.utils.env_logger").disabled = True  # It tells illegal moves.
        self.reset()

    def reset(self) -> None:
        """Begin a new game."""
        self._env.reset()
        self._agents = tuple(self._env.agents)
        self._rewards = [0.0, 0.0]
        self._marks = Marks(self.game)

    def play(self, cell: int) -> None:
        """Step, and add up the rewards of the step."""
        self._env.step(self._turned(action_for(self.game, cell)))
        self._marks.fill(cell)
        for side, agent in enumerate(self._agents):
            self._rewards[side] += float(self._env.rewards.get(agent, 0))

    def legal_moves(self) -> list[int]:
        """Read the action mask of the agent whose turn it is."""
        mask = self._env.observe(self._env.agent_selection)["action_mask"]
        return self._marks.cells_of(map(self._turned, numbers(mask)))

    def turn(self) -> str:
        """Return the side of the selected agent."""
        return Side(self._agents.index(self._env.agent_selection)).word

    def over(self) -> bool:
        """Return whether every agent is done."""
        done = zip(self._env.terminations.values(), self._env.truncations.values(), strict=True)
        return all(terminated or truncated for terminated, truncated in done)

    def rewards(self) -> tuple[float, float]:
        """Return the sums of the steps' rewards."""
        return self._rewards[0], self._rewards[1]

    def observations(self) -> list[Position]:
        """Read what each agent sees: its own marks, then the opponent's."""
        seen = []
        for side, agent in enumerate(self._agents):
            planes = self._env.observe(agent)["observation"]
            own, other = (mask_of(planes[:, :, plane].flat) for plane in (0, 1))
            seen.append(ordered(own, other, circle_sees=side == Side.CIRCLE))
        return seen

    def _turned(self, number: int) -> int:
        """Return the cell of an action, or the action of a cell: on 3x3 they are transposed."""
        if not self._by_columns or not 0 <= number < self.game.cells:
            return number
        return number % 3 * 3 + number // 3
