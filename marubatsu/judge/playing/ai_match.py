"""Games between AIs of a user's own program."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.players.arena import Arena, Match
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.address import ais_at
from marubatsu.judge.agents.agent_limits import AgentOptions, limits_for
from marubatsu.judge.agents.players import Players
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.errors import whole
from marubatsu.pipeline.support.search_limits import checked_time


def play_match(
    first: Callable[..., Any] | str,
    second: Callable[..., Any] | str,
    interface: str | None,
    games: int,
    seed: int,
    game: Game | str,
    seconds: float,
    data: str | Path | None,
    confined: AgentOptions,
) -> Match:
    """Let two AIs play; see `marubatsu.match`. Raises InputError and UsageError."""
    pairs, start = whole("games", games, least=1), whole("seed", seed)
    data_set = data_set_of(game, data)
    ais = ais_at((first, second), data_set, interface)
    with Players(data_set, limits_for(ais, confined), checked_time(seconds)) as players:
        seats = (players.player_of(each).on(data_set.game) for each in ais)
        arena = Arena(new_board(data_set.game), *seats)
        return arena.play(pairs, Random(start))  # noqa: S311, it is a game
