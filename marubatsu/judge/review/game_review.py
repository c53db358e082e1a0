"""The review of the recorded games of one game: what was judged, and the tables about players."""

from dataclasses import dataclass
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.judge.review.player_tables import PlayerTables


@dataclass(frozen=True)
class GameReview:
    """The review of all recorded games of one game."""

    game: Game
    games: int  # recorded
    moves: int  # legal ones
    judged: int  # of those
    plies: tuple[int, int]  # the first and the last that were judged
    positions: int  # different ones that were looked up
    out_of_time: int  # of those: the search took too long, so moves there are not judged
    data: str | None  # hash of the data that judged; None: a search did
    tables: PlayerTables

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object."""
        return {
            "game": self.game.name,
            "games": self.games,
            "moves": self.moves,
            "judged": self.judged,
            "first_ply": self.plies[0],
            "last_ply": self.plies[1],
            "positions": self.positions,
            "out_of_time": self.out_of_time,
            "data": self.data,
            "not_compared": list(self.tables.not_compared),
            **{name: rows.records() for name, rows in self.tables.rows().items()},
        }
