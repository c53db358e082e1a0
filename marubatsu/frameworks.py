"""Our AIs and values in the terms of other frameworks: OpenSpiel, ConnectX, PettingZoo, Gymnasium.

None of their packages comes with marubatsu. A function imports the one that it needs, and raises
ModuleNotFoundError where it is not installed. An AI is one of ours by its name, as in ``marubatsu
ais``, or a function as in `marubatsu.audit`; it runs in this process. Where ``perfect`` and the
values must be searched, ``time`` limits each answer in seconds.

>>> from marubatsu import frameworks
>>> agent = frameworks.connectx_agent("ai1")
>>> agent({"board": [0, 0, 0, 0, 1, 0], "mark": 2}, {"columns": 3, "rows": 2, "inarow": 2})
1
"""

from functools import partial
from typing import TYPE_CHECKING, Any

from marubatsu.pipeline.support.search_limits import MOVE_SECONDS, checked_time

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from marubatsu.engine.ais.ai import AI
    from marubatsu.engine.ais.by_function import Choose
    from marubatsu.engine.rules.game import Game
    from marubatsu.judge.bridges.our_environments import Episode
    from marubatsu.judge.bridges.our_players import AIPlayer

__all__ = ["aec_env", "connectx_agent", "gym_env", "openspiel_bot"]


def openspiel_bot(
    game: "Game | str" = "tictactoe",
    ai: "Choose | str" = "perfect",
    *,
    seed: int | None = None,
    time: float = MOVE_SECONDS,
    data: "str | Path | None" = None,
) -> Any:
    """Return an AI as a ``pyspiel.Bot`` for the same game in OpenSpiel, whose x is our circle.

    It draws its moves by ``seed`` and tells their chances as its policy. ``time`` is the seconds
    for a search of ``perfect``. A state of another game raises UsageError.

    Raises InputError for a name of no game or AI, UsageError for an AI outside this process or a
    time that makes no sense, and ModuleNotFoundError where OpenSpiel is not installed. With
    OpenSpiel::

        bot = frameworks.openspiel_bot("tictactoe", "perfect", seed=0)
        other = pyspiel.make_uniform_random_bot(1, 0)
        state = pyspiel.load_game("tic_tac_toe").new_initial_state()
        pyspiel.evaluate_bots(state, [bot, other], 0)
    """
    from marubatsu.judge.bridges import our_players

    return our_players.openspiel_bot(_player(game, ai, seed, time, data))


def connectx_agent(
    ai: "Choose | str" = "perfect",
    *,
    seed: int | None = None,
    time: float = 1.0,
    data: "str | Path | None" = None,
) -> "Callable[[Any, Any], int]":
    """Return an AI as an agent of Kaggle's ConnectX: a function that returns a column.

    The agent takes an observation and a configuration, and plays on any board that these say. It
    draws its moves by ``seed``. ``time`` is the seconds for a search of ``perfect``. Raises as
    `openspiel_bot` does, but when it is first asked about a board; it needs no package.

    >>> agent = connectx_agent("perfect_sv", seed=0)
    >>> board = [0, 0, 0, 0,
    ...          0, 2, 2, 0,
    ...          0, 1, 1, 0]
    >>> agent({"board": board, "mark": 1}, {"columns": 4, "rows": 3, "inarow": 3})
    3
    """
    from marubatsu.judge.bridges import our_players

    return our_players.connectx_agent(lambda game: _player(game, ai, seed, time, data))


def aec_env(
    game: "Game | str" = "tictactoe",
    *,
    truth: bool = True,
    render_mode: str | None = None,
    time: float = MOVE_SECONDS,
    data: "str | Path | None" = None,
) -> Any:
    """Return an AEC environment of PettingZoo; the agent ``player_0`` is circle.

    An observation has one's own marks and the other's, ``[rows, columns, 2]`` with gravity and
    ``[columns, rows, 2]`` without, and the ``action_mask``. A win is rewarded with 1, a loss or an
    illegal action with -1. The ``info`` of the agent to move has ``score`` (circle's view),
    ``score_mover``, ``distance`` (plies), ``best_moves`` (cells) and ``best_actions``; without
    ``truth`` it is empty. What a search of ``time`` seconds cannot prove is None there, or not in
    the lists. ``reset(options={"board": "o...x...."})`` begins elsewhere.

    Raises InputError for a name of no game, UsageError for a ``render_mode`` other than ``ansi`` or
    a time that makes no sense, and ModuleNotFoundError where PettingZoo is not installed. With
    PettingZoo::

        env = frameworks.aec_env("4x4k3-gravity", render_mode="ansi")
        env.reset(seed=0)
        observation, reward, terminated, truncated, info = env.last()
        env.step(info["best_actions"][0])
    """
    from marubatsu.judge.bridges.our_environments import aec_environment

    return aec_environment(_episode(game, time, data, truth=truth), render_mode)


def gym_env(
    game: "Game | str" = "tictactoe",
    opponent: "Choose | str" = "perfect",
    *,
    side: str = "circle",
    truth: bool = True,
    render_mode: str | None = None,
    time: float = MOVE_SECONDS,
    data: "str | Path | None" = None,
) -> Any:
    """Return an environment of Gymnasium: one player, who is ``side``, against an AI.

    ``ai2`` moves at random. The seed of ``reset`` decides what the opponent draws. Observations,
    rewards, infos and options are those of `aec_env`, from the side of the player;
    ``illegal_action`` in an info tells why a game ended at once.

    Raises as `aec_env` does; InputError for a name of no AI too, and UsageError for a side that
    there is not and for an opponent outside this process. With Gymnasium::

        env = frameworks.gym_env("tictactoe", opponent="ai2", side="cross")
        observation, info = env.reset(seed=0)
        observation, reward, terminated, truncated, info = env.step(info["best_actions"][0])
    """
    from gymnasium.envs.registration import EnvSpec

    from marubatsu.engine.rules.position import Side
    from marubatsu.judge.bridges.our_environments import gym_environment
    from marubatsu.pipeline.support.errors import UsageError

    if side not in ("circle", "cross"):
        raise UsageError(f"there is no side {side!r}: expected circle or cross")
    episode = _episode(game, time, data, truth=truth)
    known = _ai(episode.game, opponent, time, data)
    made = gym_environment(episode, known, Side[side.upper()], render_mode)
    options = {"game": episode.game.name, "opponent": opponent, "side": side, "truth": truth,
               "render_mode": render_mode, "time": time, "data": data}  # fmt: skip
    made.spec = EnvSpec(f"marubatsu/{episode.game.name}-v0", "marubatsu.frameworks:gym_env",
                        kwargs=options)  # fmt: skip
    return made


def _episode(
    game: "Game | str", time: float, data: "str | Path | None", *, truth: bool
) -> "Episode":
    from marubatsu.judge.bridges.our_environments import Episode
    from marubatsu.judge.oracle.opening import oracle_on_demand
    from marubatsu.pipeline.stages.on_demand import data_set_of

    data_set = data_set_of(game, data)
    opened = partial(oracle_on_demand, data_set, checked_time(time))
    return Episode(data_set.game, opened if truth else None)


def _player(
    game: "Game | str",
    ai: "Choose | str",
    seed: int | None,
    time: float,
    data: "str | Path | None",
) -> "AIPlayer":
    from random import Random

    from marubatsu.engine.rules.game import game_of
    from marubatsu.judge.bridges.our_players import AIPlayer
    from marubatsu.pipeline.support.errors import whole

    known, start = game_of(game), None if seed is None else whole("seed", seed)
    return AIPlayer(known, _ai(known, ai, time, data), Random(start))  # noqa: S311, it is a game


def _ai(game: "Game", ai: "Choose | str", time: float, data: "str | Path | None") -> "AI":
    """Return an AI that runs in this process, so that nothing needs to be closed."""
    from marubatsu.judge.agents.address import ProcessAI, ai_at
    from marubatsu.judge.agents.agent_limits import AgentLimits
    from marubatsu.judge.agents.players import Players
    from marubatsu.pipeline.stages.on_demand import data_set_of
    from marubatsu.pipeline.support.errors import UsageError

    data_set = data_set_of(game, data)
    found = ai_at(ai, data_set)
    if isinstance(found, ProcessAI):
        raise UsageError(
            f"{ai!r} runs in a process of its own: expected a name as in marubatsu ais, or a "
            "function"
        )
    return Players(data_set, AgentLimits(), checked_time(time)).player(found)
