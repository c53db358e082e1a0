"""The known counts, as the tests read them."""

from engine.game import Game
from pipeline import known
from pipeline.known import Known

__all__ = ["Known", "known_counts", "known_of"]


def known_counts() -> list[Known]:
    """Read every row of ``known_counts.csv``."""
    return list(known.known_counts())


def known_of(name: str) -> list[Known]:
    """Return the known counts of one game, whatever it is called in the file."""
    game = Game.parse(name)
    return [known for known in known_counts() if known.game == game]
