"""Two AIs in the same positions: where one is right and the other is not, counted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from marubatsu.engine.ais.statistics import mcnemar, paired_difference
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import counted
from marubatsu.judge.audit.interview import Choices, Interview
from marubatsu.judge.audit.source import Batch
from marubatsu.judge.oracle.answer import Answers
from marubatsu.pipeline.support.errors import harmless
from marubatsu.pipeline.tables.output import Rows

CHANGE_COLUMNS = ("change", "class", "board", "turn", "ply", "moves_before", "moves",
                  "best_moves")  # fmt: skip
"""A class in which one of the two is right: ``won`` by the AI, or ``lost``."""

_LISTED = 10_000  # classes that changed
_WON, _LOST = "won", "lost"


@dataclass(frozen=True)
class Comparison:
    """An AI and its baseline in the critical positions in which an outage hit neither.

    Without a valid answer, an AI may play any legal move, as in the verdicts. A position counts as
    right when every candidate is a best move, a class when all of its positions are. A class is won
    when the AI is right and the baseline is not, and lost in the opposite case. ``changes`` lists
    such classes, each by the first position where one is wrong.
    """

    baseline: str  # its name
    baseline_without_answer: int  # positions, critical or not
    both_right: int  # critical positions
    only_right: int  # where the AI is right and the baseline is not
    only_baseline_right: int
    both_wrong: int
    classes: int  # critical classes
    classes_won: int
    classes_lost: int
    best_move_percent: float | None  # mean chance of a best move there; None of no position
    baseline_best_move_percent: float | None
    changes: Rows  # CHANGE_COLUMNS

    @property
    def positions(self) -> int:
        """Number of critical positions in which both are judged."""
        return self.both_right + self.only_right + self.only_baseline_right + self.both_wrong

    @property
    def difference(self) -> tuple[float, float, float] | None:
        """The share of right positions minus the baseline's; None without positions.

        Then the 95 % confidence interval of that, where the positions are a sample.
        """
        if not self.positions:
            return None
        return paired_difference(
            self.both_right, self.only_right, self.only_baseline_right, self.both_wrong
        )

    @property
    def p_value(self) -> float:
        """The chance of a difference at least as large, were both right equally often."""
        return mcnemar(self.only_right, self.only_baseline_right)

    def sentences(self, sure: str | None) -> Iterator[str]:
        """Say where only one of the two is right; how ``sure`` a sample makes that, None of all."""
        yield (
            f"compared with {harmless(self.baseline)}, the baseline: right where that is wrong in "
            f"{self.only_right:,} critical positions, wrong where that is right in "
            f"{self.only_baseline_right:,}, both right in {self.both_right:,} of {self.positions:,}"
        )
        if self.baseline_without_answer:
            yield (
                "the baseline gave no valid answer in "
                f"{counted(self.baseline_without_answer, 'position')}; there it counts as one that "
                "plays any legal move"
            )
        if self.best_move_percent is not None:
            yield (
                "plays a best move in these positions with a chance of "
                f"{self.best_move_percent:.2f} %, the baseline with "
                f"{self.baseline_best_move_percent:.2f} %"
            )
        yield (
            f"of {self.classes:,} critical classes, it is right in {self.classes_won:,} where the "
            f"baseline is wrong, and wrong in {self.classes_lost:,} where the baseline is right"
        )
        if self.difference and sure:
            _, least, most = (f"{100 * share:+.2f}" for share in self.difference)
            p = f"is {self.p_value:.4f}" if self.p_value >= 0.0001 else "is below 0.0001"
            yield (
                f"its share of right positions minus the baseline's is {least} to {most} "
                f"percentage points, with {sure} (p {p} by McNemar's test), in positions drawn as "
                "these were"
            )

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object; bounds and p-value suppose that positions are drawn."""
        difference, at_least, at_most = self.difference or (None, None, None)
        counts = ("baseline", "baseline_without_answer", "positions", "both_right", "only_right",
                  "only_baseline_right", "both_wrong", "classes", "classes_won",
                  "classes_lost")  # fmt: skip
        return {
            **{name: getattr(self, name) for name in counts},
            "difference": difference,
            "difference_at_least": at_least,
            "difference_at_most": at_most,
            "mcnemar_p": self.p_value,
            "best_move_percent": self.best_move_percent,
            "baseline_best_move_percent": self.baseline_best_move_percent,
            "changes": self.changes.records(),
        }


class Paired:
    """The counts of the positions that were added, in which two AIs were asked."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._counts = np.zeros((2, 2), np.int64)  # by whether the AI, and its baseline, is right
        self._classes = {_WON: 0, _LOST: 0}
        self._chances = np.zeros(2)  # sums of the chance of a best move: the AI's, the baseline's
        self._critical = 0
        self._changes: list[list[Any]] = []

    def add(self, batch: Batch, choices: Choices, before: Choices) -> None:
        """Count positions, with the choices of the AI and of its baseline."""
        truth = batch.truth
        places = np.flatnonzero(truth.critical & ~choices.unjudged & ~before.unjudged)
        is_right, was_right = (
            truth.sums(each.is_candidate & ~truth.is_best)[places] == 0
            for each in (choices, before)
        )
        self._chances += [
            truth.sums(each.probability * truth.is_best)[places].sum() for each in (choices, before)
        ]
        np.add.at(self._counts, (is_right.astype(int), was_right.astype(int)), 1)
        class_ = np.arange(len(truth)) if batch.class_ is None else batch.class_
        numbers, inverse = np.unique(class_[places], return_inverse=True)
        wrong_now, wrong_then = (
            np.bincount(inverse, ~right, minlength=len(numbers)) > 0
            for right in (is_right, was_right)
        )
        self._critical += len(numbers)
        for change, is_changed, at in (
            (_LOST, wrong_now & ~wrong_then, ~is_right),
            (_WON, ~wrong_now & wrong_then, ~was_right),
        ):
            self._classes[change] += int(is_changed.sum())
            for number in np.flatnonzero(is_changed)[: _LISTED - len(self._changes)].tolist():
                place = int(places[(inverse == number) & at][0])
                class_number = None if batch.class_ is None else int(numbers[number])
                self._changes.append([change, class_number, *_row(truth, place, before, choices)])

    def comparison(self, baseline: Interview) -> Comparison:
        """Return the counts."""
        (neither, only_baseline), (only, both) = self._counts.tolist()
        total = int(self._counts.sum())
        percents = [
            round(float(100 * each) / total, 4) if total else None for each in self._chances
        ]
        lost_first = sorted(self._changes, key=lambda row: row[0])
        return Comparison(
            baseline=baseline.shown_name,
            baseline_without_answer=baseline.without_answer,
            both_right=both,
            only_right=only,
            only_baseline_right=only_baseline,
            both_wrong=neither,
            classes=self._critical,
            classes_won=self._classes[_WON],
            classes_lost=self._classes[_LOST],
            best_move_percent=percents[0],
            baseline_best_move_percent=percents[1],
            changes=Rows(CHANGE_COLUMNS, lost_first),
        )


def _row(truth: Answers, place: int, before: Choices, choices: Choices) -> list[Any]:
    """Return what a row of CHANGE_COLUMNS says of a position."""
    position, moves = truth[place], truth.moves_of(place)
    move = truth.move[moves]
    return [
        to_text(truth.game, position),
        position.turn.word,
        position.ply,
        move[before.is_candidate[moves]].tolist(),
        move[choices.is_candidate[moves]].tolist(),
        truth.best_moves(place),
    ]
