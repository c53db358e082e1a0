"""Two AIs in the same positions: where one is right and the other is not."""

from dataclasses import dataclass
from typing import Any

from marubatsu.judge.audit.intervals import mcnemar, paired_difference
from marubatsu.pipeline.tables.output import Rows

CHANGES = ("change", "class", "board", "turn", "ply", "moves_before", "moves", "best_moves")
"""A class in which one of the two is right: ``won`` by the AI, or ``lost``."""


@dataclass(frozen=True)
class Comparison:
    """An AI and its baseline in the critical positions in which both gave an answer.

    A position counts as right when every candidate is a best move, a class when all of its
    positions are. A class is won when the AI is right and the baseline is not, and lost in the
    opposite case. ``changes`` lists such classes, each by the first position where one is wrong.
    """

    baseline: str  # its name
    both_right: int  # critical positions
    only_right: int  # where the AI is right and the baseline is not
    only_baseline_right: int
    both_wrong: int
    classes: int  # critical classes
    classes_won: int
    classes_lost: int
    best_move_percent: float | None  # mean chance of a best move there; None of no position
    baseline_best_move_percent: float | None
    changes: Rows  # CHANGES

    @property
    def positions(self) -> int:
        """Number of critical positions in which both gave an answer."""
        return self.both_right + self.only_right + self.only_baseline_right + self.both_wrong

    @property
    def difference(self) -> tuple[float, float, float] | None:
        """How much greater the share of right positions is than the baseline's; None of none.

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

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object; bounds and p-value suppose that positions are drawn."""
        difference, at_least, at_most = self.difference or (None, None, None)
        return {
            "baseline": self.baseline,
            "positions": self.positions,
            "both_right": self.both_right,
            "only_right": self.only_right,
            "only_baseline_right": self.only_baseline_right,
            "both_wrong": self.both_wrong,
            "classes": self.classes,
            "classes_won": self.classes_won,
            "classes_lost": self.classes_lost,
            "difference": difference,
            "difference_at_least": at_least,
            "difference_at_most": at_most,
            "mcnemar_p": self.p_value,
            "best_move_percent": self.best_move_percent,
            "baseline_best_move_percent": self.baseline_best_move_percent,
            "changes": self.changes.records(),
        }
