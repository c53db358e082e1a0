"""The known counts, as the tests read them."""

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.sql import reference
from marubatsu.pipeline.sql.reference import Known

__all__ = ["Known", "known_counts", "known_of"]


def known_counts() -> list[Known]:
    """Read every row of ``known_counts.csv``."""
    return list(reference.known_counts())


def known_of(name: str) -> list[Known]:
    """Return the known counts of one game, whatever it is called in the file."""
    game = Game(name)
    return [known for known in known_counts() if known.game == game]
