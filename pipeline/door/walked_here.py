"""An environment of a user's own program, walked beside our rules."""

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.environments.conforming import walk
from marubatsu.pipeline.environments.frameworks_known import find_environment
from marubatsu.pipeline.environments.walking import Walk
from marubatsu.pipeline.support.errors import OptionError


def walk_here(environment: object, game: Game | str | None, sample: int | None, seed: int) -> Walk:
    """Walk an object, a class or a named environment. Raises UsageError and DataError."""
    if sample is not None and sample < 1:
        raise OptionError("sample", sample, "expected 1 game or more")
    of_game = Game(game) if isinstance(game, str) else game
    return walk(find_environment(environment, of_game), sample, seed, lambda share: None)
