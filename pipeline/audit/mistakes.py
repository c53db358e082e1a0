"""What an AI does wrong in critical positions, counted over batches of them."""

from typing import Any

import numpy as np

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.audit.interview import Choices
from marubatsu.pipeline.audit.verdicts import BLUNDERS, BY_PLY
from marubatsu.pipeline.oracle.answers import Answers
from marubatsu.pipeline.rows.output import Rows

LISTED = 10_000
"""The most blunders that are listed, the worst first; the others are only counted."""

_CRITICAL, _WRONG, _LOSES, _CHANCE, _LOSS = range(5)


class Mistakes:
    """The counts of the critical positions that were added, and the worst blunders in them."""

    def __init__(self, game: Game) -> None:
        """Start without positions."""
        self.blunders_found = 0
        # By ply: critical, wrong, may lose a won game; sums of chances of blunders, of their loss.
        self._counts = np.zeros((5, game.cells + 1))
        self._listed: list[list[Any]] = []

    @property
    def critical(self) -> int:
        """Number of critical positions."""
        return int(self._counts[_CRITICAL].sum())

    @property
    def wrong(self) -> int:
        """Number of those in which some candidate is not a best move."""
        return int(self._counts[_WRONG].sum())

    @property
    def best_move_percent(self) -> float | None:
        """Mean chance of a best move, in percent; None without a critical position."""
        if not self.critical:
            return None
        return round(100 * (1 - float(self._counts[_CHANCE].sum()) / self.critical), 4)

    @property
    def expected_loss(self) -> float | None:
        """Mean drop of the mover's score; None without a critical position."""
        return round(float(self._counts[_LOSS].sum()) / self.critical, 6) if self.critical else None

    def add(self, asked: Answers, choices: Choices) -> None:
        """Count what an AI chooses in some positions."""
        blunders = choices.is_candidate & ~asked.is_best
        chances = choices.probability * blunders
        critical, ply = asked.critical, asked.ply
        by_position = (
            critical,
            _sums(asked, blunders) > 0,
            _sums(asked, choices.is_candidate & (asked.loss == 2)) > 0,
            _sums(asked, chances),
            _sums(asked, chances * asked.loss),
        )
        for count, value in enumerate(by_position):
            self._counts[count] += np.bincount(
                ply[critical], value[critical], minlength=self._counts.shape[1]
            )
        self._list(asked, choices, np.flatnonzero(blunders))

    def _list(self, asked: Answers, choices: Choices, blunders: Any) -> None:
        """Keep the worst blunders: of equal ones, those that came first."""
        self.blunders_found += len(blunders)
        percent = np.round(100 * choices.probability[blunders], 2)
        worst = np.lexsort((-percent, -asked.loss[blunders]))[:LISTED]
        rows = [
            _row(asked, move, chance)
            for move, chance in zip(blunders[worst].tolist(), percent[worst].tolist(), strict=True)
        ]
        loss, chance = BLUNDERS.index("loss"), BLUNDERS.index("chance_percent")
        self._listed.extend(rows)
        self._listed.sort(key=lambda row: (-row[loss], -row[chance]))
        del self._listed[LISTED:]

    def by_ply(self) -> Rows:
        """Count by ply: critical, wrong, may lose a won game, and the mean chance of a blunder."""
        rows = []
        for ply, (*counts, chance, _) in enumerate(self._counts.T.tolist()):
            if counts[0]:
                rows.append([ply, *map(int, counts), round(100 * chance / counts[0], 2)])
        return Rows(BY_PLY, rows)

    def blunders(self) -> Rows:
        """List the worst blunders."""
        return Rows(BLUNDERS, self._listed)


def _sums(asked: Answers, values: Any) -> Any:
    """Add the values of the moves of each position: [M] to [N]."""
    return np.bincount(asked.parent, values, minlength=len(asked))


def _row(asked: Answers, at: int, percent: float) -> list[Any]:
    """Return a blunder, given by the place of its move, as a row of BLUNDERS."""
    game, place, move = asked.game, int(asked.parent[at]), int(asked.move[at])
    position, moves = asked[place], asked.moves_of(place)
    return [
        to_text(game, position),
        position.turn.word,
        move,
        to_text(game, position.after(move)),
        int(asked.score[place]),
        int(asked.move_score[at]),
        int(asked.loss[at]),
        percent,
        asked.move[moves][asked.is_best[moves]].tolist(),
        position.ply,
        None,
    ]
