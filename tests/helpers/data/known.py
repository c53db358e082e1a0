"""The known counts, as the tests read them."""

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.checking import inventory
from marubatsu.pipeline.checking.inventory import KnownCount

__all__ = ["KnownCount", "known_counts", "known_of"]


def known_counts() -> list[KnownCount]:
    return list(inventory.known_counts())


def known_of(name: str) -> list[KnownCount]:
    """Return the known counts of one game, whatever it is called in the file."""
    game = Game(name)
    return [known for known in known_counts() if known.game == game]
