"""What an AI does wrong in critical positions, counted over batches of them."""

from typing import Any

import numpy as np

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Ints
from marubatsu.pipeline.audit.interview import Choices
from marubatsu.pipeline.audit.source import Batch
from marubatsu.pipeline.audit.verdicts import BLUNDERS, BY_PLY
from marubatsu.pipeline.oracle.answers import Answers
from marubatsu.pipeline.rows.output import Rows

LISTED = 10_000
"""The most blunders that are listed, the worst ones; the others are only counted."""

_CRITICAL, _WRONG, _LOSES, _CHANCE, _LOSS = range(5)


class Mistakes:
    """The counts of the critical positions that were added, and the worst blunders in them.

    Positions that represent their classes also count for these, and only theirs are listed.
    """

    def __init__(self, game: Game) -> None:
        """Start without positions."""
        self.blunders_found = 0
        # Critical, wrong, may lose a won game; sums of chances of blunders, of their loss.
        self._by_ply = np.zeros((5, game.cells + 1))
        self._of_classes = np.zeros(5)
        self._listed: list[list[Any]] = []

    @property
    def positions(self) -> int:
        """Number of critical positions."""
        return int(self._by_ply[_CRITICAL].sum())

    @property
    def positions_wrong(self) -> int:
        """Number of those in which some candidate is not a best move."""
        return int(self._by_ply[_WRONG].sum())

    @property
    def classes(self) -> int:
        """Number of critical classes."""
        return int(self._of_classes[_CRITICAL])

    @property
    def classes_wrong(self) -> int:
        """Number of those in whose representative some candidate is not a best move."""
        return int(self._of_classes[_WRONG])

    @property
    def best_move_percent(self) -> float | None:
        """Mean chance of a best move over the critical classes, in percent; None without any."""
        if not self.classes:
            return None
        return float(_rounded(100 * (1 - self._of_classes[_CHANCE] / self.classes), 4))

    @property
    def expected_loss(self) -> float | None:
        """Mean drop of the mover's score over the critical classes; None without any."""
        if not self.classes:
            return None
        return float(_rounded(self._of_classes[_LOSS] / self.classes, 6))

    def add(self, batch: Batch, choices: Choices) -> None:
        """Count what an AI chooses in some positions."""
        truth = batch.truth
        blunders = choices.is_candidate & ~truth.is_best
        chances = choices.probability * blunders
        counts = np.array(
            [
                truth.critical,
                _sums(truth, blunders) > 0,
                _sums(truth, choices.is_candidate & (truth.loss == 2)) > 0,
                _sums(truth, chances),
                _sums(truth, chances * truth.loss),
            ]
        )
        plies = self._by_ply.shape[1]
        self._by_ply += [np.bincount(truth.ply, count, minlength=plies) for count in counts]
        self._of_classes += counts[:, batch.represents].sum(axis=1)
        self._list(batch, choices, np.flatnonzero(blunders & batch.represents[truth.parent]))

    def _list(self, batch: Batch, choices: Choices, blunders: Ints) -> None:
        """Keep the worst blunders, in the order in which they were found."""
        percent = _rounded(100 * choices.probability[blunders], 2)
        worst = np.sort(np.lexsort((-percent, -batch.truth.loss[blunders]))[:LISTED])
        self.blunders_found += len(blunders)
        self._listed += [
            _row(batch, move, chance)
            for move, chance in zip(blunders[worst].tolist(), percent[worst].tolist(), strict=True)
        ]
        if len(self._listed) > LISTED:
            ranked = sorted(range(len(self._listed)), key=self._how_bad)[:LISTED]
            self._listed = [self._listed[place] for place in sorted(ranked)]

    def _how_bad(self, place: int) -> tuple[int, float]:
        """Return what sorts a listed blunder: the worst first."""
        row = self._listed[place]
        return -row[BLUNDERS.index("loss")], -row[BLUNDERS.index("chance_percent")]

    def by_ply(self) -> Rows:
        """Count by ply: critical, wrong, may lose a won game, and the mean chance of a blunder."""
        rows = []
        for ply, (*counts, chance, _) in enumerate(self._by_ply.T.tolist()):
            if counts[0]:
                percent = float(_rounded(100 * chance / counts[0], 2))
                rows.append([ply, *map(int, counts), percent])
        return Rows(BY_PLY, rows)

    def blunders(self) -> Rows:
        """List the worst blunders, in the order in which they were found."""
        return Rows(BLUNDERS, self._listed)


def _sums(truth: Answers, values: Any) -> Any:
    """Add the values of the moves of each position: [M] to [N]."""
    return np.bincount(truth.parent, values, minlength=len(truth))


def _rounded(values: Any, digits: int) -> Any:
    """Round numbers of 0 or more as SQL does: halves up."""
    return np.floor(values * 10**digits + 0.5) / 10**digits


def _row(batch: Batch, at: int, percent: float) -> list[Any]:
    """Return a blunder, given by the place of its move, as a row of BLUNDERS."""
    truth = batch.truth
    game, place, move = truth.game, int(truth.parent[at]), int(truth.move[at])
    position, moves = truth[place], truth.moves_of(place)
    return [
        to_text(game, position),
        position.turn.word,
        move,
        to_text(game, position.after(move)),
        int(truth.score[place]),
        int(truth.move_score[at]),
        int(truth.loss[at]),
        percent,
        truth.move[moves][truth.is_best[moves]].tolist(),
        position.ply,
        None if batch.class_ is None else int(batch.class_[place]),
    ]
