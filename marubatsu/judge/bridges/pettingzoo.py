"""PettingZoo: the form of its environments, its policies as agents, its games to be walked.

With gravity as in ``connect_four_v3``: planes [rows, columns, 2], row 0 at the top; an action is a
column. Without it as in ``tictactoe_v3``, which goes column by column: planes [columns, rows, 2],
and an action is ``row + rows * column``. In both, plane 0 has one's own marks, and the planes and
the mask of legal actions are int8. An action is read as PettingZoo 1.27.0 does, whose spaces are of
Gymnasium 1.4.0.
"""

import logging
import re
from collections.abc import Iterable, Mapping
from importlib import import_module
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Side, bits
from marubatsu.judge.agents.interfaces import (
    NoAgentError,
    accepts,
    cell_of_answer,
    chances_of,
    require_function,
)
from marubatsu.judge.bridges.actions import (
    Marks,
    action_or_invalid,
    count_of_actions,
    marks_of,
    mask_of,
    ordered,
)

Observation = dict[str, NDArray[np.int8]]


_EXPECTED = "f(observation, action_mask), or f of the dictionary that observe returns"
_MASK = re.compile("mask|^.$|^_", re.IGNORECASE)
"""Names of a second parameter that may mean the mask: with others a policy is judged by a guess."""
_TAKES = (
    "PettingZoo takes an int, or an integer of NumPy without dimensions; a chance for every action "
    "is read, too"
)
GAMES = {"tictactoe_v3": "tictactoe", "connect_four_v3": "connect4"}


def shape_of(game: Game) -> tuple[int, int, int]:
    """Return the shape of the planes."""
    return (game.rows, game.columns, 2) if game.gravity else (game.columns, game.rows, 2)


def aec_action(game: Game, cell: int) -> int:
    """Return the action that marks a cell.

    >>> aec_action(Game("connect4"), 38), aec_action(Game("tictactoe"), 1)
    (3, 3)
    """
    row, column = divmod(cell, game.columns)
    return column if game.gravity else row + game.rows * column


def aec_observation(
    game: Game, own: NDArray[np.bool_], other: NDArray[np.bool_], legal: Iterable[int]
) -> Observation:
    """Return planes and mask, from which cells hold one's own marks and the other's: [cells]."""
    board = np.stack([own, other], axis=1).astype(np.int8).reshape(game.rows, game.columns, 2)
    planes = board if game.gravity else np.ascontiguousarray(board.transpose(1, 0, 2))
    mask = np.zeros(count_of_actions(game), np.int8)
    mask[[aec_action(game, cell) for cell in legal]] = 1
    return {"observation": planes, "action_mask": mask}


def read_action(action: Any) -> int | None:
    """Return an action as a number, legal or not; None for what PettingZoo refuses as an action.

    It takes an int, and a number or array of NumPy that has no dimension and fits int64. True is in
    a space of actions, but fails as an index of the mask.
    """
    if isinstance(action, int):
        return None if isinstance(action, bool) else action
    if not isinstance(action, np.generic | np.ndarray) or action.shape != ():
        return None
    is_whole = np.issubdtype(action.dtype, np.integer) and np.can_cast(action.dtype, np.int64)
    return int(action) if is_whole else None


def chooser(agent: Any, game: Game) -> Choose:
    """Return a policy as a function of ours.

    It takes observation and mask, or, with one argument, the dictionary of both that an
    environment's ``observe`` returns.
    """
    function = require_function(agent, _EXPECTED)
    names = [*signature(function).parameters]
    takes_two = not accepts(function, 1) or "action_mask" in names
    if takes_two and "agent" in names:
        raise NoAgentError(f"it takes an agent, which is not given: expected {_EXPECTED}")
    if takes_two and not all(map(_MASK.search, names[1:2])):
        raise NoAgentError(f"{names[1]} would be the mask of legal actions: expected {_EXPECTED}")

    def choose(board: str, legal: list[int]) -> int | list[tuple[int, float]]:
        marks = np.array(marks_of(board), np.int8)
        own = 1 + np.count_nonzero(marks) % 2
        seen = aec_observation(game, marks == own, marks == 3 - own, legal)
        answer = function(*seen.values()) if takes_two else function(seen)
        cell_of = dict(sorted((aec_action(game, cell), cell) for cell in legal))
        vector = _vector(answer, count_of_actions(game))
        if vector is not None:
            return chances_of(cell_of, list(enumerate(vector)))
        return cell_of_answer(cell_of, answer, read_action(answer), _TAKES)

    return choose


def _vector(answer: Any, count: int) -> list[float] | None:
    """Return an answer as a number for every action, None when it is something else."""
    if not hasattr(answer, "__len__") or isinstance(answer, str | bytes | Mapping):
        return None
    try:
        numbers = np.asarray(answer)
    except (TypeError, ValueError):
        return None
    is_vector = numbers.shape == (count,) and numbers.dtype.kind in "iuf"
    return numbers.astype(np.float64).tolist() if is_vector else None


class FrameworkEnvironment:
    """An AEC environment; circle is the first of its agents.

    Actions and observations are read as its documentation numbers them: in tictactoe_v3 an action
    counts down the columns, 0 3 6 in the top row. Element [row, column] of a plane is a cell.
    """

    def __init__(self, name: str) -> None:
        self.game = Game(GAMES[name])
        self._env: Any = import_module(f"pettingzoo.classic.{name}").env()
        self._by_columns = name == "tictactoe_v3"
        logging.getLogger("pettingzoo.utils.env_logger").disabled = True  # illegal moves
        self.reset()

    def reset(self) -> None:
        self._env.reset()
        self._agents = tuple(self._env.agents)
        self._rewards = [0.0, 0.0]
        self._marks = Marks(self.game)

    def play(self, cell: int) -> None:
        self._env.step(self._turned(action_or_invalid(self.game, cell)))
        self._marks.fill(cell)
        for side, agent in enumerate(self._agents):
            self._rewards[side] += float(self._env.rewards.get(agent, 0))

    def legal_moves(self) -> list[int]:
        mask = self._env.observe(self._env.agent_selection)["action_mask"]
        return self._marks.cells_of(map(self._turned, bits(mask_of(mask))))

    def turn(self) -> str:
        return Side(self._agents.index(self._env.agent_selection)).word

    def over(self) -> bool:
        done = zip(self._env.terminations.values(), self._env.truncations.values(), strict=True)
        return all(terminated or truncated for terminated, truncated in done)

    def rewards(self) -> tuple[float, float]:
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
