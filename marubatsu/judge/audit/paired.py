"""The answers of two AIs about the same positions, counted."""

from typing import Any

import numpy as np

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Bools
from marubatsu.judge.audit.comparison import CHANGES, Comparison
from marubatsu.judge.audit.interview import Choices
from marubatsu.judge.audit.source import Batch
from marubatsu.judge.oracle.answers import Answers
from marubatsu.pipeline.tables.output import Rows

_LISTED = 10_000  # classes that changed
_WON, _LOST = "won", "lost"


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
        places = np.flatnonzero(truth.critical & choices.answered & before.answered)
        is_right, was_right = (_right(truth, each)[places] for each in (choices, before))
        self._chances += [_best(truth, each)[places].sum() for each in (choices, before)]
        for now, then in ((0, 0), (0, 1), (1, 0), (1, 1)):
            self._counts[now, then] += int(((is_right == now) & (was_right == then)).sum())
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
                shown = None if batch.class_ is None else int(numbers[number])
                self._changes.append([change, shown, *_row(truth, place, before, choices)])

    def comparison(self, baseline: str) -> Comparison:
        """Return the counts."""
        (neither, only_baseline), (only, both) = self._counts.tolist()
        total = int(self._counts.sum())
        percents = [
            round(float(100 * each) / total, 4) if total else None for each in self._chances
        ]
        lost_first = sorted(self._changes, key=lambda row: row[0])
        return Comparison(
            baseline=baseline,
            both_right=both,
            only_right=only,
            only_baseline_right=only_baseline,
            both_wrong=neither,
            classes=self._critical,
            classes_won=self._classes[_WON],
            classes_lost=self._classes[_LOST],
            best_move_percent=percents[0],
            baseline_best_move_percent=percents[1],
            changes=Rows(CHANGES, lost_first),
        )


def _right(truth: Answers, choices: Choices) -> Bools:
    """Return where every candidate is a best move: [N]."""
    blunders = choices.is_candidate & ~truth.is_best
    is_right: Bools = np.bincount(truth.parent, blunders, minlength=len(truth)) == 0
    return is_right


def _best(truth: Answers, choices: Choices) -> Any:
    """Return the chance of a best move: [N]."""
    return np.bincount(truth.parent, choices.probability * truth.is_best, minlength=len(truth))


def _row(truth: Answers, place: int, before: Choices, choices: Choices) -> list[Any]:
    """Return what a row of CHANGES says of a position."""
    position, moves = truth[place], truth.moves_of(place)
    move = truth.move[moves]
    return [
        to_text(truth.game, position),
        position.turn.word,
        position.ply,
        move[before.is_candidate[moves]].tolist(),
        move[choices.is_candidate[moves]].tolist(),
        move[truth.is_best[moves]].tolist(),
    ]
