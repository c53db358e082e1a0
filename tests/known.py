"""The known counts, as the tests read them."""

import csv
from dataclasses import dataclass
from pathlib import Path

from engine.game import Game


@dataclass(frozen=True)
class Known:
    """One exact count of one game, with its source; ``ply`` is None for a total."""

    game: str
    quantity: str
    ply: int | None
    count: int
    source: str


def known_counts() -> list[Known]:
    """Read every row of ``known_counts.csv``."""
    with (Path(__file__).parent / "known_counts.csv").open(encoding="utf-8", newline="") as file:
        return [
            Known(
                row["game"],
                row["quantity"],
                int(row["ply"]) if row["ply"] else None,
                int(row["count"]),
                row["source"],
            )
            for row in csv.DictReader(file)
        ]


def known_of(name: str) -> list[Known]:
    """Return the known counts of one game, whatever it is called in the file."""
    game = Game.parse(name)
    return [known for known in known_counts() if Game.parse(known.game) == game]
