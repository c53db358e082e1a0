"""The result of an audit: what an AI was asked, what it solves, where it fails; for every game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from marubatsu.engine.rules.game import Game
from marubatsu.judge.audit.comparison import Comparison
from marubatsu.judge.audit.interview import Interview
from marubatsu.judge.audit.verdicts import (
    ACCURACY,
    ANSWERS,
    BLUNDERS,
    BY_PLY,
    MATCHES,
    REFUTATIONS,
    Verdicts,
)
from marubatsu.pipeline.tables.output import Rows
from marubatsu.version import __version__

SCHEMA = 3
"""The version of the JSON of an audit."""


@dataclass(frozen=True)
class Sampled:
    """How the positions of an audit were drawn, and what the AI gives away in each of them.

    They are ``random``: of random games, as many of each ply; ``own``: of the AI's own games; or
    the lines of a file. Games were played from the ``starts`` of lowest ply.
    """

    positions: str  # random, own, or the name of the file
    first_ply: int
    last_ply: int
    drawn: int  # classes, with those that could not be judged
    out_of_time: Sequence[tuple[int, ...]]  # lines to those for which the search took too long
    by_ply: Rows  # ACCURACY
    answers: Rows  # ANSWERS: every candidate of the AI in every judged position
    starts: Mapping[str, int]  # results of perfect play on both sides, from where games started
    games_out_of_time: int  # games that ended early because the search took too long

    def withheld(self) -> "Sampled":
        """Return how the positions were drawn, without answers in them."""
        return replace(self, by_ply=Rows(ACCURACY, []), answers=Rows(ANSWERS, []))

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object."""
        return {
            "positions": self.positions,
            "first_ply": self.first_ply,
            "last_ply": self.last_ply,
            "drawn": self.drawn,
            "out_of_time": [list(line) for line in self.out_of_time],
            "accuracy_by_ply": self.by_ply.records(),
            "answers": self.answers.records(),
            "starts": dict(self.starts),
            "games_out_of_time": self.games_out_of_time,
        }


@dataclass(frozen=True)
class AuditResult:
    """The verdicts on one AI, and what they follow from.

    The AI was asked about every unfinished position, or about one member of classes that a seed
    drew: ``unit`` is ``position`` or ``class``. In every position, the refutations are the first of
    the shortest lines by which it loses. The seed drew classes and games; without them it is None.

    With choices in every position, the matches are exact: against a best response and each AI of
    the tables, or random and perfect play. Otherwise they are games against random and perfect
    play, and the bounds of the mean are a 95 % confidence interval.
    """

    game: Game
    interview: Interview
    unit: str
    unfinished: int | None  # unfinished positions or classes of the game; None: not known
    seed: int | None
    data: str | None  # hash of the data that judged it; None: a search did
    verdicts: Verdicts
    by_ply: Rows  # BY_PLY: one ply with critical positions
    blunders: Rows  # BLUNDERS: in every position that the AI was asked about
    blunders_found: int  # of which ``blunders`` may list only the worst
    refutations: Rows  # REFUTATIONS: how it loses, as circle and as cross
    matches: Rows  # MATCHES: of the AI; a win is 1, a draw 0, a loss -1 in the mean
    is_followed: bool = True  # whether it was asked about every position of the walks that judge it
    sampled: Sampled | None = None  # where positions were drawn from play or from a file
    comparison: Comparison | None = None  # with a baseline, where one was asked

    def withheld(self) -> Self:
        """Return the audit of an AI without any valid answer: what it was asked, and no verdict."""
        return replace(
            self,
            verdicts=self.verdicts.withheld(),
            by_ply=Rows(BY_PLY, []),
            blunders=Rows(BLUNDERS, []),
            blunders_found=0,
            refutations=Rows(REFUTATIONS, []),
            matches=Rows(MATCHES, []),
            sampled=self.sampled and self.sampled.withheld(),
            comparison=None,
        )

    def verdict_row(self) -> Rows:
        """Return the verdicts as one row, after the AI, the game and the number of faults."""
        row = {
            "ai": self.interview.name,
            "family": self.interview.family,
            "game": self.game.name,
            "examined": self.interview.unfinished,
            "without_answer": self.interview.silent,
            "findings": sum(finding.count for finding in self.interview.findings),
            "could_read_answers": self.interview.could_read_answers is not None,
            **self.verdicts.to_json(),
        }
        return Rows(tuple(row), [tuple(row.values())])

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object; every audit has the same keys, and no times."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "game": self.game.name,
            "data": self.data,
            **self.interview.to_json(),
            "unit": self.unit,
            "unfinished": self.unfinished,
            "seed": self.seed,
            "verdicts": self.verdicts.to_json(),
            "blunders_by_ply": self.by_ply.records(),
            "blunders_found": self.blunders_found,
            "blunders": self.blunders.records(),
            "refutations": self.refutations.records(),
            "matches": self.matches.records(),
            "sampled": self.sampled and self.sampled.to_json(),
            "comparison": self.comparison and self.comparison.to_json(),
        }
