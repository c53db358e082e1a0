"""What an AI does wrong, counted over batches of positions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Bools, Ints
from marubatsu.judge.audit.drawn_positions import Drawn
from marubatsu.judge.audit.intervals import percents
from marubatsu.judge.audit.interview import Choices, Finding
from marubatsu.judge.audit.source import Batch
from marubatsu.judge.audit.verdicts import ACCURACY, ANSWERS, BLUNDERS, BY_PLY
from marubatsu.judge.oracle.answers import Answers
from marubatsu.pipeline.tables.output import Rows

LISTED = 10_000
"""The most blunders that are listed, the worst ones; the others are only counted."""

_LEAST_WINS = 10
"""Positions with a win at once, below which it means nothing that an AI takes none."""


class Mistakes:
    """The counts of the critical positions that were added, and the worst blunders in them.

    A position is right when every candidate is a best move, a class when all of its positions are.
    """

    def __init__(self, game: Game) -> None:
        self.drawn, self.avoided_wins = DrawnAccuracy(), AvoidedWins()
        self.blunders_found = 0
        self._positions_unasked = 0  # critical ones
        self._classes = self._classes_right = 0
        self._representatives_right: int | None = None  # None where members are drawn
        # Critical, wrong, may lose a won game; sums of chances of blunders, of their loss.
        self._by_ply = np.zeros((5, game.cells + 1))
        self._plies_lost, self._keeping = 0.0, 0
        self._listed: list[list[Any]] = []

    def figures(self) -> dict[str, Any]:
        """Return the fields of `Verdicts` that are counted here."""
        critical, wrong, _, chance, loss = self._by_ply.sum(axis=1)
        lost, keeping = self._plies_lost, self._keeping
        return {
            "classes": self._classes,
            "classes_right": self._classes_right,
            "representatives_right": self._representatives_right,
            "positions_unasked": self._positions_unasked,
            "positions": int(critical),
            "positions_right": int(critical - wrong),
            "best_move_percent": float(_rounded(100 * (1 - chance / critical), 4))
            if critical
            else None,
            "expected_loss": float(_rounded(loss / critical, 6)) if critical else None,
            "mean_plies_lost": float(_rounded(lost / keeping, 4)) if keeping else None,
        }

    def add(self, batch: Batch, choices: Choices) -> None:
        """Count what an AI chooses in some positions."""
        self.drawn.add(batch, choices)
        self.avoided_wins.add(batch.truth, choices)
        truth = batch.truth
        is_candidate = choices.is_candidate & ~choices.unasked[truth.parent]
        blunders = is_candidate & ~truth.is_best
        chances = choices.probability * blunders
        critical, is_wrong = truth.critical & ~choices.unasked, truth.sums(blunders) > 0
        self._positions_unasked += int((truth.critical & choices.unasked).sum())
        loses = truth.sums(is_candidate & (truth.loss == 2)) > 0
        lost = truth.sums(chances * truth.loss)
        counts = np.array([critical, is_wrong, loses, truth.sums(chances), lost])
        plies = self._by_ply.shape[1]
        self._by_ply += [np.bincount(truth.ply, count, minlength=plies) for count in counts]
        self._count_classes(batch, critical, is_wrong)
        kept, lost = plies_lost(truth, choices)
        self._plies_lost += lost[kept].sum()
        self._keeping += int(kept.sum())
        self._list(batch, choices, np.flatnonzero(blunders))

    def _count_classes(self, batch: Batch, critical: Bools, is_wrong: Bools) -> None:
        """Count the critical classes that were asked about, and those without a wrong position."""
        class_ = np.arange(len(critical)) if batch.class_ is None else batch.class_
        classes = len(np.unique(class_[critical]))
        self._classes += classes
        self._classes_right += classes - len(np.unique(class_[is_wrong]))
        if batch.represents is not None:
            right = int((critical & batch.represents & ~is_wrong).sum())
            self._representatives_right = right + (self._representatives_right or 0)

    def _list(self, batch: Batch, choices: Choices, blunders: Ints) -> None:
        """Keep the worst blunders, by class, then in the order in which they were found."""
        if batch.class_ is not None:
            class_ = batch.class_[batch.truth.parent[blunders]]
            blunders = blunders[np.argsort(class_, kind="stable")]
        percent = _rounded(100 * choices.probability[blunders], 2)
        worst = np.sort(np.lexsort((-percent, -batch.truth.loss[blunders]))[:LISTED])
        self.blunders_found += len(blunders)
        self._listed += [
            _row(batch, move, chance)
            for move, chance in zip(blunders[worst].tolist(), percent[worst].tolist(), strict=True)
        ]
        if len(self._listed) > LISTED:
            loss, chance = (
                [-row[BLUNDERS.index(name)] for row in self._listed]
                for name in ("loss", "chance_percent")
            )
            ranked = np.sort(np.lexsort((chance, loss))[:LISTED])
            self._listed = [self._listed[place] for place in ranked.tolist()]

    def by_ply(self) -> Rows:
        """Count by ply: critical, wrong, may lose a won game, and the mean chance of a blunder."""
        rows = []
        for ply, (*counts, chance, _) in enumerate(self._by_ply.T.tolist()):
            if counts[0]:
                percent = float(_rounded(100 * chance / counts[0], 2))
                rows.append([ply, *map(int, counts), percent])
        return Rows(BY_PLY, rows)

    def blunders(self) -> Rows:
        """List the worst blunders, by class, then in the order in which they were found."""
        return Rows(BLUNDERS, self._listed)


class AvoidedWins:
    """Positions in which some moves win at once and others do not, and what an AI takes there.

    Exact values tell no win from a later one. Negated, they avoid wins only where another move is
    worse, so those positions count on their own, too.
    """

    def __init__(self) -> None:
        self._positions: Counter[str] = Counter()  # by which moves are the others
        self._taken: Counter[str] = Counter()
        self._first: dict[str, str] = {}  # board

    def add(self, truth: Answers, choices: Choices) -> None:
        """Count positions that an AI was asked about."""
        mover = 1 - 2 * (truth.ply[truth.parent] % 2)
        is_win = truth.move_score == mover
        at_once = is_win & (truth.move_distance == 0)
        can_win = (truth.sums(at_once) > 0) & choices.answered
        wins_at_once = truth.sums(at_once & choices.is_candidate) > 0
        for where, others in (("", ~at_once), (" where another move is worse", ~is_win)):
            counted = can_win & (truth.sums(others) > 0)
            if counted.any():
                self._first.setdefault(where, to_text(truth.game, truth[int(counted.argmax())]))
            self._positions[where] += int(counted.sum())
            self._taken[where] += int((counted & wins_at_once).sum())

    def findings(self) -> list[Finding]:
        """Return the finding that the AI never wins at once, nothing where it does."""
        for where, count in self._positions.items():
            if count >= _LEAST_WINS and not self._taken[where]:
                detail = (
                    f"it never wins at once{where}, in {count:,} positions: a value must "
                    "be high where the player who just moved does well: negate values for the side "
                    "to move; where x begins on your boards, try the option first='x'"
                )
                return [Finding("avoids wins", count, self._first[where], detail)]
        return []


class _Judged(NamedTuple):
    """A drawn position, and what the AI gives away there on average over its candidates."""

    ply: int
    is_critical: bool
    is_right: bool  # every candidate is a best move
    loss: float
    plies_lost: float | None  # by the candidates that are best moves; None without any


class DrawnAccuracy:
    """What an AI gives away in drawn positions: in score, and in plies where it keeps the score."""

    def __init__(self) -> None:
        self._rows: list[list[Any]] = []
        self._judged: list[_Judged] = []

    def add(self, batch: Batch, choices: Choices) -> None:
        """Take what an AI chooses in some drawn positions."""
        truth = batch.truth
        kept, mean_lost = plies_lost(truth, choices)
        for place, (position, line) in enumerate(batch.drawn):
            if choices.unasked[place]:
                continue
            moves = truth.moves_of(place)
            candidates = [at for at in range(moves.start, moves.stop) if choices.is_candidate[at]]
            chances = {at: float(choices.probability[at]) for at in candidates}
            lost = {at: int(truth.plies_lost[at]) for at in candidates if truth.is_best[at]}
            judged = _Judged(
                ply=position.ply,
                is_critical=bool(truth.critical[place]),
                is_right=len(lost) == len(candidates),
                loss=sum(chances[at] * int(truth.loss[at]) for at in candidates),
                plies_lost=float(mean_lost[place]) if kept[place] else None,
            )
            self._judged.append(judged)
            self._rows += [
                [
                    list(line),
                    to_text(truth.game, position),
                    position.turn.word,
                    position.ply,
                    judged.is_critical,
                    int(truth.score[place]),
                    int(truth.distance[place]),
                    int(truth.move[at]),
                    float(_rounded(100 * chances[at], 2)),
                    int(truth.move_score[at]),
                    int(truth.move_distance[at]),
                    int(truth.loss[at]),
                    lost.get(at),
                    truth.best_moves(place),
                ]
                for at in candidates
            ]

    def answers(self) -> Rows:
        """List every candidate, by position."""
        return Rows(ANSWERS, self._rows)

    def by_ply(self, late: Iterable[Drawn]) -> Rows:
        """Count by ply, with 95 % intervals for the share of right critical positions.

        ``late`` are positions whose search ran out of time. Means are over all judged positions of
        a ply.
        """
        lates = Counter(drawn.position.ply for drawn in late)
        rows = []
        for ply in sorted({each.ply for each in self._judged} | lates.keys()):
            here = [each for each in self._judged if each.ply == ply]
            critical = [each for each in here if each.is_critical]
            right = sum(each.is_right for each in critical)
            lost = [each.plies_lost for each in here if each.plies_lost is not None]
            means = _mean([each.loss for each in here]), _mean(lost)
            counts = [ply, len(here), lates[ply], len(critical), right]
            rows.append([*counts, *percents(right, len(critical)), *means])
        return Rows(ACCURACY, rows)


def plies_lost(truth: Answers, choices: Choices) -> tuple[Bools, NDArray[np.float64]]:
    """Return where some candidate is a best move, and the mean of `Answers.plies_lost` there: [N].

    The mean is over the candidates that are best moves, by their chances. A draw loses no plies.
    """
    chances = choices.probability * truth.is_best * ~choices.unasked[truth.parent]
    sums = truth.sums(chances)
    kept = sums > 0
    return kept, truth.sums(chances * truth.plies_lost) / np.where(kept, sums, 1)


def _mean(numbers: Sequence[float]) -> float | None:
    return float(_rounded(sum(numbers) / len(numbers), 4)) if numbers else None


def _rounded(values: Any, digits: int) -> Any:
    """Round numbers of 0 or more as SQL does: halves up."""
    return np.floor(values * 10**digits + 0.5) / 10**digits


def _row(batch: Batch, at: int, percent: float) -> list[Any]:
    """Return a blunder, given by the place of its move, as a row of BLUNDERS."""
    truth = batch.truth
    game, place, move = truth.game, int(truth.parent[at]), int(truth.move[at])
    position = truth[place]
    return [
        to_text(game, position),
        position.turn.word,
        move,
        to_text(game, position.after(move)),
        int(truth.score[place]),
        int(truth.move_score[at]),
        int(truth.loss[at]),
        percent,
        truth.best_moves(place),
        position.ply,
        None if batch.class_ is None else int(batch.class_[place]),
    ]
