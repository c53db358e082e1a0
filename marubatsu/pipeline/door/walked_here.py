"""An environment of a user's own program, walked beside our rules."""

from marubatsu.engine.rules.game import Game, game_of
from marubatsu.pipeline.environments.conforming import walk
from marubatsu.pipeline.environments.frameworks_known import find_environment
from marubatsu.pipeline.environments.walking import Walk
from marubatsu.pipeline.support.errors import whole


def walk_here(environment: object, game: Game | str | None, sample: int | None, seed: int) -> Walk:
    """Walk an object, a class or a named environment. Raises UsageError and DataError."""
    games = None if sample is None else whole("sample", sample, least=1)
    found = find_environment(environment, None if game is None else game_of(game))
    return walk(found, games, whole("seed", seed), lambda share: None)
