"""The games of pgx, which run on JAX."""

from importlib import import_module
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Side, bits
from marubatsu.judge.bridges.actions import Marks, action_or_invalid, mask_of, ordered

GAMES = {"tic_tac_toe": "tictactoe", "connect_four": "connect4"}


class FrameworkEnvironment:
    """A game of pgx; circle is the player whom the first state names, which is drawn at random.

    Each game has another key, so both players begin.
    """

    def __init__(self, name: str) -> None:
        """Make the environment of a name in ``GAMES``, and compile it."""
        pgx: Any = import_module("pgx")
        jax: Any = import_module("jax")
        self.game = Game(GAMES[name])
        env = pgx.make(name)
        self._init, self._step = jax.jit(env.init), jax.jit(env.step)
        self._keys = [jax.random.PRNGKey(number) for number in range(8)]
        self._games = 0
        self.reset()

    def reset(self) -> None:
        self._state: Any = self._init(self._keys[self._games % len(self._keys)])
        self._games += 1
        self._first = int(self._state.current_player)
        self._rewards = (0.0, 0.0)
        self._marks = Marks(self.game)

    def play(self, cell: int) -> None:
        self._state = self._step(self._state, action_or_invalid(self.game, cell))
        self._marks.fill(cell)
        rewards = [float(reward) for reward in self._state.rewards]
        circle, cross = self._rewards
        self._rewards = (circle + rewards[self._first], cross + rewards[1 - self._first])

    def legal_moves(self) -> list[int]:
        return self._marks.cells_of(bits(mask_of(self._state.legal_action_mask.tolist())))

    def turn(self) -> str:
        return self._side().word

    def over(self) -> bool:
        return bool(self._state.terminated) or bool(self._state.truncated)

    def rewards(self) -> tuple[float, float]:
        return self._rewards

    def observations(self) -> list[Position]:
        """Read what the current player sees: its own marks, then the opponent's."""
        planes = self._state.observation.reshape(-1, 2).tolist()
        own, other = (mask_of(marks[plane] for marks in planes) for plane in (0, 1))
        return [ordered(own, other, circle_sees=self._side() is Side.CIRCLE)]

    def _side(self) -> Side:
        return Side(int(self._state.current_player) != self._first)
