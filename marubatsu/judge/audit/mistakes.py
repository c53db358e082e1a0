"""What an AI does wrong, counted over batches of positions, alone and next to a baseline."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.statistics import mcnemar, paired_difference, percents
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import counted
from marubatsu.engine.rules.masks import Bools, Ints, Masks, board_texts
from marubatsu.engine.rules.position import Side
from marubatsu.judge.audit.draw_positions import Reached
from marubatsu.judge.audit.interview import Choices, Interview
from marubatsu.judge.audit.source import Batch
from marubatsu.judge.audit.verdicts import (
    ACCURACY_COLUMNS,
    ANSWER_COLUMNS,
    BLUNDER_COLUMNS,
    BY_PLY_COLUMNS,
)
from marubatsu.judge.oracle.answer import Answers
from marubatsu.pipeline.support.errors import harmless
from marubatsu.pipeline.tables.output import Rows

MOST_BLUNDERS = 10_000
"""The most blunders that are listed, the worst ones; the others are only counted."""


class _Counts(NamedTuple):
    """What is counted of the positions of a ply that an AI was asked about."""

    critical: Any
    wrong: Any
    loses_a_win: Any  # it may
    chance: Any  # sum of the chances of blunders
    loss: Any  # sum of what they lose
    judged: Any
    keeping: Any  # where a best move may be played
    plies_lost: Any  # sum, there


class Mistakes:
    """The counts of the positions that were added, and the worst blunders in them.

    A position is right when every candidate is a best move, a class when all of its positions are.
    """

    def __init__(self, game: Game) -> None:
        self.blunders_found = 0
        self._positions_unjudged = 0  # critical ones
        self._classes = self._classes_right = 0
        self._representatives_right: int | None = None  # None where members are drawn
        self._by_ply = np.zeros((len(_Counts._fields), game.cells + 1))
        self._listed: list[list[Any]] = []
        self._answers: list[list[Any]] = []

    def figures(self, *, is_judged: bool) -> dict[str, Any]:
        """Return the fields of `Verdicts` that are counted here; None where it is not judged."""
        sums = _Counts(*self._by_ply.sum(axis=1))
        asked = {
            "classes": self._classes,
            "positions": int(sums.critical),
            "positions_unjudged": self._positions_unjudged,
        }
        judged = {
            "classes_right": self._classes_right,
            "representatives_right": self._representatives_right,
            "positions_right": int(sums.critical - sums.wrong),
            "best_move_percent": _mean(100 * (sums.critical - sums.chance), sums.critical),
            "expected_loss": _mean(sums.loss, sums.critical, 6),
            "mean_plies_lost": _mean(sums.plies_lost, sums.keeping),
        }
        return asked | (judged if is_judged else dict.fromkeys(judged))

    def add(self, batch: Batch, choices: Choices) -> None:
        """Count what an AI chooses in some positions."""
        truth = batch.truth
        is_candidate = choices.is_candidate & ~choices.unjudged[truth.parent]
        blunders = is_candidate & ~truth.is_best
        chances = choices.probability * blunders
        critical, is_wrong = truth.critical & ~choices.unjudged, truth.sums(blunders) > 0
        unjudged = truth.critical & choices.unjudged
        self._positions_unjudged += int(unjudged.sum())
        loses = truth.sums(is_candidate & (truth.loss == 2)) > 0
        lost = truth.sums(chances * truth.loss)
        counts = _Counts(
            critical, is_wrong, loses, truth.sums(chances), lost,
            truth.unfinished & ~choices.unjudged, *_plies_lost(truth, choices),
        )  # fmt: skip
        plies = self._by_ply.shape[1]
        self._by_ply += [np.bincount(truth.ply, count, minlength=plies) for count in counts]
        self._count_classes(batch, critical, is_wrong, unjudged)
        self._list(batch, choices, np.flatnonzero(blunders))
        self._list_answers(batch, choices)

    def _count_classes(
        self, batch: Batch, critical: Bools, is_wrong: Bools, unjudged: Bools
    ) -> None:
        """Count the critical classes that were asked about, and those that are right.

        Where no answer came in some position, and no wrong one in the others, that is not known.
        """
        class_ = np.arange(len(critical)) if batch.class_ is None else batch.class_
        wrong = np.unique(class_[is_wrong])
        classes = len(np.setdiff1d(class_[critical], np.setdiff1d(class_[unjudged], wrong)))
        self._classes += classes
        self._classes_right += classes - len(wrong)
        if batch.represents is not None:
            right = int((critical & batch.represents & ~is_wrong).sum())
            self._representatives_right = right + (self._representatives_right or 0)

    def _list(self, batch: Batch, choices: Choices, blunders: Ints) -> None:
        """Keep the worst blunders, by class, then in the order in which they were found."""
        if batch.class_ is not None:
            class_ = batch.class_[batch.truth.parent[blunders]]
            blunders = blunders[np.argsort(class_, kind="stable")]
        percent = _rounded(100 * choices.probability[blunders], 2)
        worst = _worst(batch.truth.loss[blunders], percent)
        self.blunders_found += len(blunders)
        self._listed += _blunders(batch, blunders[worst], percent[worst])
        if len(self._listed) > MOST_BLUNDERS:
            listed = self.blunders()
            worst = _worst(*map(np.array, map(listed.column, ("loss", "chance_percent"))))
            self._listed = [self._listed[place] for place in worst.tolist()]

    def by_ply(self) -> Rows:
        """Count by ply: critical, wrong, may lose a won game, and the mean chance of a blunder."""
        rows = []
        for ply, sums in enumerate(starmap(_Counts, self._by_ply.T.tolist())):
            if sums.critical:
                counts = map(int, (sums.critical, sums.wrong, sums.loses_a_win))
                rows.append([ply, *counts, _mean(100 * sums.chance, sums.critical, 2)])
        return Rows(BY_PLY_COLUMNS, rows)

    def blunders(self) -> Rows:
        """List the worst blunders, by class, then in the order in which they were found."""
        return Rows(BLUNDER_COLUMNS, self._listed)

    def _list_answers(self, batch: Batch, choices: Choices) -> None:
        """Keep what an AI may play in drawn positions."""
        truth = batch.truth
        for place, (position, line) in enumerate(batch.drawn):
            moves = truth.moves_of(place)
            self._answers += [
                [
                    list(line),
                    to_text(truth.game, position),
                    position.turn.word,
                    position.ply,
                    bool(truth.critical[place]),
                    int(truth.score[place]),
                    int(truth.distance[place]),
                    int(truth.move[at]),
                    float(_rounded(100 * choices.probability[at], 2)),
                    int(truth.move_score[at]),
                    int(truth.move_distance[at]),
                    int(truth.loss[at]),
                    int(truth.plies_lost[at]) if truth.is_best[at] else None,
                    truth.best_moves(place),
                ]
                for at in range(moves.start, moves.stop)
                if choices.is_candidate[at] and not choices.unjudged[place]
            ]

    def answers(self) -> Rows:
        """List every candidate in drawn positions, by position."""
        return Rows(ANSWER_COLUMNS, self._answers)

    def accuracy_by_ply(self, late: Iterable[Reached], *, draws_moves: bool) -> Rows:
        """Count by ply, with 95 % intervals for the share of right critical positions.

        ``late`` are positions whose search ran out of time. Means are over all judged positions of
        a ply. An interval begins at 0 for an AI that draws its moves, as in `Verdicts.share`.
        """
        lates = Counter(drawn.position.ply for drawn in late)
        rows = []
        for ply, sums in enumerate(starmap(_Counts, self._by_ply.T.tolist())):
            if sums.judged or lates[ply]:
                critical, right = int(sums.critical), int(sums.critical - sums.wrong)
                means = _mean(sums.loss, sums.judged), _mean(sums.plies_lost, sums.keeping)
                counts = int(sums.judged), lates[ply], critical, right
                percent, least, most = percents(right, critical)
                least = 0.0 if draws_moves and critical else least
                rows.append([ply, *counts, percent, least, most, *means])
        return Rows(ACCURACY_COLUMNS, rows)


def _plies_lost(truth: Answers, choices: Choices) -> tuple[Bools, NDArray[np.float64]]:
    """Return where some candidate is a best move, and the mean of `Answers.plies_lost` there: [N].

    The mean is over the candidates that are best moves, by their chances; 0 without any. A draw
    loses no plies.
    """
    chances = choices.probability * truth.is_best * ~choices.unjudged[truth.parent]
    sums = truth.sums(chances)
    kept = sums > 0
    return kept, truth.sums(chances * truth.plies_lost) / np.where(kept, sums, 1)


def _mean(total: float, count: float, digits: int = 4) -> float | None:
    return float(_rounded(total / count, digits)) if count else None


def _rounded(values: Any, digits: int) -> Any:
    """Round numbers of 0 or more as SQL does: halves up."""
    return np.floor(values * 10**digits + 0.5) / 10**digits


def _worst(loss: NDArray[Any], percent: NDArray[Any]) -> Ints:
    """Return the places of the worst blunders that are listed, in ascending order."""
    return np.sort(np.lexsort((-percent, -loss))[:MOST_BLUNDERS])


def _blunders(batch: Batch, at: Ints, percent: NDArray[Any]) -> list[list[Any]]:
    """Return blunders, given by the places of their moves, as rows of BLUNDER_COLUMNS."""
    truth = batch.truth
    place = truth.parent[at]
    position, after = truth.at(place), [masks[at] for masks in truth.children]
    class_ = [None] * len(at) if batch.class_ is None else batch.class_[place].tolist()
    columns = (
        _texts(truth.game, position.circle, position.cross),
        [Side(ply % 2).word for ply in position.ply.tolist()],
        truth.move[at].tolist(),
        _texts(truth.game, *after),
        position.score.tolist(),
        truth.move_score[at].tolist(),
        truth.loss[at].tolist(),
        percent.tolist(),
        list(map(position.best_moves, range(len(at)))),
        position.ply.tolist(),
        class_,
    )
    return list(map(list, zip(*columns, strict=True)))


def _texts(game: Game, circle: Masks, cross: Masks) -> list[str]:
    return list(map(bytes.decode, board_texts(game, circle, cross).tolist()))


CHANGE_COLUMNS = ("change", "class", "board", "turn", "ply", "moves_before", "moves",
                  "best_moves")  # fmt: skip
"""A class in which one of the two is right: ``won`` by the AI, or ``lost``."""

_MOST_CHANGES = 10_000  # classes that changed
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
    draws_moves: bool  # whether the AI gave other moves when it was asked again
    baseline_draws_moves: bool
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
        if self.draws_moves != self.baseline_draws_moves:
            who, other = "the AI", "the baseline"
            if self.baseline_draws_moves:
                who, other = other, who
            yield (
                f"{who} gave other moves when asked again: of it count the moves that it gave, of "
                f"{other} all that it may play, so the same play may count differently"
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
        counts = ("baseline", "baseline_without_answer", "baseline_draws_moves", "positions",
                  "both_right", "only_right", "only_baseline_right", "both_wrong", "classes",
                  "classes_won", "classes_lost")  # fmt: skip
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
            for number in np.flatnonzero(is_changed)[: _MOST_CHANGES - len(self._changes)].tolist():
                place = int(places[(inverse == number) & at][0])
                class_number = None if batch.class_ is None else int(numbers[number])
                self._changes.append([change, class_number, *_row(truth, place, before, choices)])

    def comparison(self, ai: Interview, baseline: Interview) -> Comparison:
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
            draws_moves=ai.draws_moves,
            baseline_draws_moves=baseline.draws_moves,
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
