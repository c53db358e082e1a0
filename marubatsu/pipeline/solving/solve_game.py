"""A game solved from a user's own program."""

from pathlib import Path

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.cost_estimate import estimate
from marubatsu.pipeline.solving.local_engine import solve
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.machine import half_the_memory, parse_memory
from marubatsu.pipeline.support.progress import say_waiting


def solve_game(game: Game | str, memory: str | None, data: str | Path | None) -> None:
    """Solve a game on this machine into its data folder, unless that is done.

    Raises GameError for a board that is too large, UsageError for a memory that makes no sense, and
    DataError when there is no room.
    """
    data_set = data_set_of(game, data)
    limit = half_the_memory() if memory is None else parse_memory(memory)
    expected = estimate(data_set.game)
    solve(data_set.root, data_set.game, limit, expected=expected, on_wait=say_waiting)
