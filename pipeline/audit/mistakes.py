"""What an AI does wrong, counted over batches of positions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Ints
from marubatsu.pipeline.audit.drawn_positions import Drawn
from marubatsu.pipeline.audit.interview import Choices
from marubatsu.pipeline.audit.source import Batch
from marubatsu.pipeline.audit.verdicts import ACCURACY, ANSWERS, BLUNDERS, BY_PLY, wilson
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
        is_candidate = choices.is_candidate & ~choices.unasked[truth.parent]
        blunders = is_candidate & ~truth.is_best
        chances = choices.probability * blunders
        counts = np.array(
            [
                truth.critical & ~choices.unasked,
                _sums(truth, blunders) > 0,
                _sums(truth, is_candidate & (truth.loss == 2)) > 0,
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


class Answered:
    """What an AI gives away in drawn positions: in score, and in plies where it keeps the score."""

    def __init__(self) -> None:
        """Start without positions."""
        self._rows: list[list[Any]] = []
        self._judged: list[tuple[int, bool, bool, float, float | None]] = []

    def add(self, batch: Batch, choices: Choices) -> None:
        """Take what an AI chooses in some drawn positions."""
        truth = batch.truth
        slower = (
            truth.score[truth.parent]
            * (1 - 2 * (truth.ply[truth.parent] % 2))
            * (truth.move_distance + 1 - truth.distance[truth.parent])
        )
        for place, (position, line) in enumerate(batch.drawn):
            if choices.unasked[place]:
                continue
            moves = truth.moves_of(place)
            best = truth.move[moves][truth.is_best[moves]].tolist()
            chosen = [at for at in range(moves.start, moves.stop) if choices.is_candidate[at]]
            chances = {at: float(choices.probability[at]) for at in chosen}
            lost = {at: int(slower[at]) for at in chosen if truth.is_best[at]}
            kept = sum(chances[at] for at in lost)
            self._judged.append(
                (
                    position.ply,
                    bool(truth.critical[place]),
                    len(lost) == len(chosen),
                    sum(chances[at] * int(truth.loss[at]) for at in chosen),
                    sum(chances[at] * lost[at] for at in lost) / kept if kept else None,
                )
            )
            self._rows += [
                [
                    list(line),
                    to_text(truth.game, position),
                    position.turn.word,
                    position.ply,
                    bool(truth.critical[place]),
                    int(truth.score[place]),
                    int(truth.distance[place]),
                    int(truth.move[at]),
                    float(_rounded(100 * chances[at], 2)),
                    int(truth.move_score[at]),
                    int(truth.move_distance[at]),
                    int(truth.loss[at]),
                    lost.get(at),
                    best,
                ]
                for at in chosen
            ]

    def answers(self) -> Rows:
        """List every candidate, by position."""
        return Rows(ANSWERS, self._rows)

    def by_ply(self, late: Iterable[Drawn]) -> Rows:
        """Count by ply, with 95 % intervals for the share of right critical positions.

        ``late`` are positions that nobody judged. Means are over all judged positions of a ply.
        """
        lates = Counter(drawn.position.ply for drawn in late)
        rows = []
        for ply in sorted({each[0] for each in self._judged} | lates.keys()):
            here = [each for each in self._judged if each[0] == ply]
            critical = [each for each in here if each[1]]
            right = sum(each[2] for each in critical)
            shares: list[float | None] = [None] * 3
            if critical:
                shares = [right / len(critical), *wilson(right, len(critical))]
            percents = [None if share is None else round(100 * share, 2) for share in shares]
            means = (_mean([each[3] for each in here]),
                     _mean([each[4] for each in here if each[4] is not None]))  # fmt: skip
            rows.append([ply, len(here), lates[ply], len(critical), right, *percents, *means])
        return Rows(ACCURACY, rows)


def _mean(numbers: Sequence[float]) -> float | None:
    return float(_rounded(sum(numbers) / len(numbers), 4)) if numbers else None


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
