"""Environments of any game of ours: an AEC environment of PettingZoo, and one of Gymnasium.

Observations and actions have the form of PettingZoo's: see `judge.bridges.pettingzoo`. A win is
rewarded with 1, a draw with 0, a loss with -1. ``info`` has the values of the position, from an
oracle.
"""

from collections.abc import Callable, Mapping
from functools import cache, cached_property, partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.notations.reading import read_position
from marubatsu.engine.rules.board_text import draw
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import did_you_mean, is_one_of, nearest, quote
from marubatsu.engine.rules.position import EMPTY, Position, Side, Status
from marubatsu.judge.bridges.actions import count_of_actions
from marubatsu.judge.bridges.our_players import AIPlayer, InProcessPlayer
from marubatsu.judge.bridges.pettingzoo import (
    Observation,
    aec_action,
    aec_observation,
    read_action,
    shape_of,
)
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.errors import OptionError, UsageError, checked_flag
from marubatsu.pipeline.support.machine import MOVE_SECONDS, checked_time

if TYPE_CHECKING:  # An agent in a box may use our players, and may not import the oracle.
    from marubatsu.judge.oracle.answer import Answer, BoundedAnswer
    from marubatsu.judge.oracle.oracle import Oracle

AGENTS = ("player_0", "player_1")  # of an AEC environment, as PettingZoo names them: circle, cross
RENDER_MODE = "ansi"  # the drawing of the board, as text

_OPTIONS = ("board", "first", "numbering")  # of a reset


class Episode:
    """One game after another, as both environments show them, with the truth if it is wanted."""

    def __init__(
        self, game: Game, open_oracle: "Callable[[], Oracle] | None", render_mode: str | None
    ) -> None:
        """Store the game and the function that opens its oracle; None for empty infos."""
        self.game, self.position, self._open_oracle = game, EMPTY, open_oracle
        self.render_mode = render_mode
        self._asked: tuple[Position, Answer | BoundedAnswer] | None = None  # the last answer
        self._losses: dict[Side, int | None] = {}  # of the last moves

    @cached_property
    def _oracle(self) -> "Oracle | None":
        return self._open_oracle() if self._open_oracle else None

    def _answer(self) -> "Answer | BoundedAnswer | None":
        if self._oracle is None or self.status is not Status.PLAYING:
            return None
        if self._asked is None or self._asked[0] != self.position:
            self._asked = self.position, self._oracle.within(self.position)
        return self._asked[1]

    @property
    def status(self) -> Status:
        return self.game.status(self.position)

    def begin(self, options: Mapping[str, Any] | None) -> None:
        """Set up the empty board, or what the option ``board`` says: its cells, or moves.

        The options ``first`` and ``numbering`` say how it is read, as in `answer`. The frameworks'
        own tests pass other options, which have no effect. Raises UsageError for a finished
        position and for names like those of options, InputError for no position.
        """
        said = {} if options is None else options
        if not isinstance(said, Mapping):
            raise OptionError("options", said, 'expected a mapping such as {"board": "o...x...."}')
        for name in said:
            if name not in _OPTIONS and (close := nearest(name, _OPTIONS)):
                raise UsageError(f"there is no option {quote(name)}: {did_you_mean(close)}")
        board, position = said.get("board"), EMPTY
        if board is not None:
            read = {key: said[key] for key in _OPTIONS[1:] if key in said}
            position = read_position(self.game, board, **read)
        if self.game.status(position) is not Status.PLAYING:
            raise UsageError(f"{quote(board)} is finished: expected a board with moves")
        self.position, self._losses = position, {}

    def play(self, action: Any) -> bool:
        """Play an action, and return whether it is legal; an illegal one changes nothing.

        Raises UsageError for what is no action.
        """
        number = read_action(action)
        if number is None:
            expected = "an int, or an integer of NumPy without dimensions"
            raise UsageError(f"{quote(action)} is no action: expected {expected}")
        legal = self.game.legal_moves(self.position)
        cell = next((cell for cell in legal if aec_action(self.game, cell) == number), None)
        if cell is not None:
            moves = answer.moves if (answer := self._answer()) else ()
            loss = next((each.loss for each in moves if each.move == cell), None)
            self._losses[self.position.turn] = loss
            self.position = self.position.after(cell)
        return cell is not None

    def observation(self, side: Side) -> Observation:
        """Return what a side sees; who is not to move has no legal actions."""
        game = self.game
        cells = np.arange(game.cells)
        own, other = (self.position[each] >> cells & 1 != 0 for each in (side, side.other))
        legal = game.legal_moves(self.position) if side is self.position.turn else ()
        return aec_observation(game, own, other, legal)

    def spaces(self) -> tuple[Any, Any]:
        """Return the spaces of observations and of actions, of Gymnasium."""
        from gymnasium import spaces

        count = count_of_actions(self.game)
        observation = spaces.Dict({
            "observation": spaces.Box(0, 1, shape_of(self.game), np.int8),
            "action_mask": spaces.Box(0, 1, (count,), np.int8),
        })  # fmt: skip
        return observation, spaces.Discrete(count)

    def reward(self, side: Side) -> float:
        """Return what the position is worth to a side: 0 until the game is won."""
        if self.status in (Status.PLAYING, Status.DRAW):
            return 0.0
        return 1.0 if self.status == Status(side) else -1.0

    def info(self, side: Side) -> dict[str, Any]:
        """Return the loss of a side's last move, and the values of the position if it is to move.

        ``score`` is circle's view, ``score_mover`` that of the side to move. What a search could
        not prove in its time is missing. Without an oracle, it is empty.
        """
        values: dict[str, Any] = {"loss": self._losses.get(side)}
        if side is self.position.turn and (answer := self._answer()):
            score = answer.score
            values |= {
                "score": score,
                "score_mover": None if score is None else side.sign * score,
                "distance": getattr(answer, "distance", None),
                "best_moves": list(answer.best_moves),
                "best_actions": [aec_action(self.game, cell) for cell in answer.best_moves],
            }
        return {name: value for name, value in values.items() if value is not None}

    def render(self) -> str | None:
        """Return the drawing of the board, if the environment was made to."""
        return draw(self.game, self.position) if self.render_mode else None


def _episode(
    game: Game | str, time: float, data: str | Path | None, render_mode: str | None, *, truth: bool
) -> Episode:
    from marubatsu.judge.oracle.choose_oracle import oracle

    data_set = data_set_of(game, data)
    seconds = checked_time(time)
    if render_mode is not None and not is_one_of(render_mode, [RENDER_MODE]):
        raise UsageError(
            f"there is no render_mode {quote(render_mode)}: expected {RENDER_MODE}, or None"
        )
    opener = partial(oracle, data_set.game, time=seconds, data=data_set.root)
    return Episode(data_set.game, opener if checked_flag("truth", truth) else None, render_mode)


def aec_env(
    game: Game | str = "tictactoe",
    *,
    truth: bool = True,
    render_mode: str | None = None,
    time: float = MOVE_SECONDS,
    data: str | Path | None = None,
) -> Any:
    """Return an AEC environment of PettingZoo; the agent ``player_0`` is circle.

    An observation has one's own marks and the other's, ``[rows, columns, 2]`` with gravity and
    ``[columns, rows, 2]`` without, and the ``action_mask``. A win is rewarded with 1, a loss or an
    illegal action with -1. The ``info`` of the agent to move has ``score`` (circle's view),
    ``score_mover``, ``distance`` (plies), ``best_moves`` (cells) and ``best_actions``; that of each
    agent has the ``loss`` of its last move, 0 to 2. Without ``truth`` infos are empty. What a
    search of ``time`` seconds cannot prove is missing there, as are moves in both lists.
    ``reset(options={"board": "o...x...."})`` begins elsewhere; the options ``first`` and
    ``numbering`` say how that board is read, as in `answer`.

    Raises InputError for a name of no game, UsageError for a ``render_mode`` other than ``ansi`` or
    a time that makes no sense, and ModuleNotFoundError where PettingZoo is not installed. With
    PettingZoo::

        env = frameworks.aec_env("4x4k3-gravity", render_mode="ansi")
        env.reset(seed=0)
        observation, reward, terminated, truncated, info = env.last()
        env.step(info["best_actions"][0])
    """
    from pettingzoo.utils import wrappers

    episode = _episode(game, time, data, render_mode, truth=truth)
    inner = wrappers.TerminateIllegalWrapper(_aec_class()(episode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))


def _bare(kind: Callable[[], type[Any]]) -> Any:
    """Return an environment for `pickle` to fill, which finds no class in a function."""
    return object.__new__(kind())


@cache
def _aec_class() -> type[Any]:  # noqa: C901, a class whose base need not be there
    from pettingzoo import AECEnv

    class AECEnvironment(AECEnv):  # type: ignore[misc]
        """Two agents; player_0 is circle, and begins."""

        def __init__(self, episode: Episode) -> None:
            super().__init__()
            self._episode, self.render_mode = episode, episode.render_mode
            self.metadata = {
                "render_modes": [RENDER_MODE],
                "name": f"marubatsu_{episode.game.name}_v0",
                "is_parallelizable": False,
            }
            self.possible_agents = list(AGENTS)
            self.agents = self.possible_agents[:]
            spaces = {each: episode.spaces() for each in self.agents}
            self.observation_spaces = {each: space for each, (space, _) in spaces.items()}
            self.action_spaces = {each: space for each, (_, space) in spaces.items()}

        def observation_space(self, agent: str) -> Any:
            return self.observation_spaces[agent]

        def action_space(self, agent: str) -> Any:
            return self.action_spaces[agent]

        def observe(self, agent: str) -> Observation:
            return self._episode.observation(Side(AGENTS.index(agent)))

        def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
            """Begin a game; nothing is drawn, so the seed changes nothing."""
            self._episode.begin(options)
            self.agents = self.possible_agents[:]
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self._tell()

        def step(self, action: int | None) -> None:
            """Play the action of the agent whose turn it is. Raises UsageError if it is illegal."""
            agent = self.agent_selection
            if self.terminations[agent] or self.truncations[agent]:
                self._was_dead_step(action)
                return
            if not self._episode.play(action):
                raise UsageError(f"action {action} is not legal: expected one that the mask has")
            self._cumulative_rewards[agent] = 0.0
            is_over = self._episode.status is not Status.PLAYING
            for side, each in zip(Side, AGENTS, strict=True):
                self.rewards[each] = self._episode.reward(side)
                self.terminations[each] = is_over
            self._accumulate_rewards()
            self._tell()

        def _tell(self) -> None:
            self.agent_selection = AGENTS[self._episode.position.turn]
            self.infos = {
                each: self._episode.info(side) for side, each in zip(Side, AGENTS, strict=True)
            }

        def render(self) -> str | None:
            return self._episode.render()

        def close(self) -> None:
            """Do nothing: nothing is open."""

        def __reduce__(self) -> tuple[Any, ...]:
            return _bare, (_aec_class,), vars(self)

    return AECEnvironment


def gym_env(
    game: Game | str = "tictactoe",
    opponent: Choose | str = "perfect",
    *,
    side: str = "circle",
    truth: bool = True,
    render_mode: str | None = None,
    time: float = MOVE_SECONDS,
    data: str | Path | None = None,
) -> Any:
    """Return an environment of Gymnasium: one player, who is ``side``, against an AI.

    ``ai2`` moves at random. The seed of ``reset`` decides what the opponent draws. Observations,
    rewards, infos and options are those of `aec_env`, from the side of the player;
    ``illegal_action`` in an info is the action that ended a game at once.

    Raises as `aec_env` does; InputError also for an unknown AI, and UsageError for an unknown side
    and for an opponent outside this process. With Gymnasium::

        env = frameworks.gym_env("tictactoe", opponent="ai2", side="cross")
        observation, info = env.reset(seed=0)
        observation, reward, terminated, truncated, info = env.step(info["best_actions"][0])
    """
    from gymnasium.envs.registration import EnvSpec

    if not is_one_of(side, ("circle", "cross")):
        raise UsageError(f"there is no side {quote(side)}: expected circle or cross")
    episode = _episode(game, time, data, render_mode, truth=truth)
    player = InProcessPlayer(episode.game, opponent, Random(), time, data)  # noqa: S311, a game
    environment = _gym_class()(episode, player, Side[side.upper()])
    options = {"game": episode.game.name, "opponent": opponent, "side": side, "truth": truth,
               "render_mode": render_mode, "time": time, "data": data}  # fmt: skip
    environment.spec = EnvSpec(
        f"marubatsu/{episode.game.name}-v0", "marubatsu.frameworks:gym_env", kwargs=options
    )
    return environment


@cache
def _gym_class() -> type[Any]:  # noqa: C901, a class whose base need not be there
    import gymnasium

    class GymEnvironment(gymnasium.Env):  # type: ignore[misc]
        """One player against an AI, which draws its moves by the seed of the environment."""

        def __init__(self, episode: Episode, opponent: AIPlayer, side: Side) -> None:
            self.metadata = {"render_modes": [RENDER_MODE], "render_fps": 1}
            self.render_mode = episode.render_mode
            self._episode, self._side, self._is_over = episode, side, True
            self._opponent = opponent
            self.observation_space, self.action_space = episode.spaces()

        def reset(
            self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
        ) -> tuple[Observation, dict[str, Any]]:
            """Begin a game, up to the first move of the player.

            Raises UsageError for a board on which the AI moves, and where its move ends the game.
            """
            super().reset(seed=seed)
            self._is_over = True  # so that no step follows a reset that fails
            self._opponent.random.seed(int(self.np_random.integers(1 << 62)))
            self._episode.begin(options)
            turn, mine = self._episode.position.turn, self._side
            if self._episode.position != EMPTY and turn is not mine:
                raise UsageError(
                    f"it is {turn.word}'s turn: expected a board where {mine.word} moves, or an "
                    f"environment with side={turn.word!r}"
                )
            self._reply()
            if self._is_over:
                raise UsageError(f"{self._episode.game.name} is over before {mine.word} moves")
            return self._episode.observation(self._side), self._episode.info(self._side)

        def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
            """Play an action, and the reply of the AI. Raises UsageError when the game is over."""
            if self._is_over:
                raise UsageError("the game is over: expected reset() before step()")
            episode = self._episode
            if not episode.play(action):
                self._is_over = True
                info = {"illegal_action": int(action)}
                return episode.observation(self._side), -1.0, True, False, info
            self._reply()
            seen, info = episode.observation(self._side), episode.info(self._side)
            return seen, episode.reward(self._side), self._is_over, False, info

        def _reply(self) -> None:
            episode = self._episode
            if episode.status is Status.PLAYING and episode.position.turn is not self._side:
                episode.position = episode.position.after(self._opponent.move(episode.position))
            self._is_over = episode.status is not Status.PLAYING

        def render(self) -> str | None:
            return self._episode.render()

        def __reduce__(self) -> tuple[Any, ...]:
            return _bare, (_gym_class,), vars(self)

    return GymEnvironment
