"""The exact counts known from elsewhere, from ``known_counts.csv``."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.support.resources import REFERENCE


@dataclass(frozen=True)
class Known:
    """One exact count of one game, with its source; ``ply`` is None for a total."""

    game: Game
    quantity: str
    ply: int | None
    count: int
    source: str


def known_counts() -> Iterator[Known]:
    """Read every known count, in the order of the file."""
    with (REFERENCE / "known_counts.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield Known(
                Game(row["game"]),
                row["quantity"],
                int(row["ply"]) if row["ply"] else None,
                int(row["count"]),
                row["source"],
            )
