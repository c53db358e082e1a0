"""An audit: what an AI was asked, what it solves, where it fails; the same for every game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from marubatsu.engine.rules.game import Game
from marubatsu.judge.audit.comparison import Comparison
from marubatsu.judge.audit.intervals import wilson
from marubatsu.judge.audit.interview import Interview
from marubatsu.pipeline.tables.output import Rows
from marubatsu.version import __version__

SCHEMA = 3
"""The version of the JSON of an audit."""

GAMES = 100
"""Games against each opponent on each side, where results are not computed exactly."""

OPPONENTS = RANDOM_PLAY, PERFECT_PLAY = ("ai2", "perfect")
"""Random play, and perfect play that takes each best move with equal chance."""

BEST_RESPONSE = "best response"
"""The opponent that knows an AI's choices in every position; no AI can have this name."""

BY_PLY = ("ply", "critical", "wrong", "loses_a_won_game", "mean_chance_percent")
BLUNDERS = ("board", "turn", "move", "board_after", "score", "score_after", "loss",
            "chance_percent", "best_moves", "ply", "class")  # fmt: skip
REFUTATIONS = ("side", "length", "moves", "final_board")
MATCHES = ("opponent", "side", "win_percent", "draw_percent", "lose_percent", "win", "draw",
           "lose", "mean", "mean_at_least", "mean_at_most")  # fmt: skip

ACCURACY = ("ply", "positions", "out_of_time", "critical", "right", "right_percent",
            "at_least_percent", "at_most_percent", "mean_loss", "mean_plies_lost")  # fmt: skip
ANSWERS = ("line", "board", "turn", "ply", "critical", "score", "distance", "move",
           "chance_percent", "score_after", "distance_after", "loss", "plies_lost",
           "best_moves")  # fmt: skip


@dataclass(frozen=True)
class Verdicts:
    """How many critical positions an AI is right in, what it gives away, and whether it ever loses.

    All figures are about the positions that the AI was asked about. A critical position counts as
    right when every candidate of the AI is a best move. A critical class counts as right when all
    of its positions do; ``representatives_right`` counts the classes whose representative is right,
    as the tutorial series does.

    ``best_move_percent`` and ``expected_loss`` count the candidates by their chances instead: the
    mean chance of a best move, and the mean drop of the mover's score (a win is 1, a draw 0, a loss
    -1), both over the critical positions; None when there is no critical position.

    ``mean_plies_lost``: by how many plies the AI wins later, or loses sooner, than it could. The
    mean is over all unfinished positions where some candidate is a best move, and there over these
    candidates by their chances; a draw loses no plies. None without such a position.

    ``as_circle`` and ``as_cross``: from the empty board the AI never loses on that side; None when
    it can reach too many positions to tell.

    ``exploitability``: the mean result of a best response to the AI, over both sides (a win is 1, a
    draw 0, a loss -1); perfect play against perfect play has 0. None without choices in every
    position. Then ``exploitability_at_least`` is what perfect play gets in games against the AI
    from the empty board, at the lower end of a 95 % confidence interval; None without such games.

    Of an AI that gave no valid answer, everything is None but the numbers of critical classes and
    positions.
    """

    classes: int  # critical classes
    classes_right: int | None
    representatives_right: int | None  # None: the AI was asked about one member of each class
    is_sample: bool  # of the unfinished positions, or classes, of the game
    is_complete: bool  # the AI answered about every unfinished position of the game
    positions_unasked: int  # other critical positions, where a time-out or an outage left it open
    positions: int  # critical positions
    positions_right: int | None
    best_move_percent: float | None
    expected_loss: float | None
    mean_plies_lost: float | None
    as_circle: bool | None
    as_cross: bool | None
    exploitability: float | None
    exploitability_at_least: float | None

    @property
    def strongly_solved(self) -> bool | None:
        """Whether every candidate everywhere is a best move.

        None without any valid answer, and without a blunder where positions were left out.
        """
        if self.positions_right is None:
            return None
        if self.positions_right < self.positions:
            return False
        return True if self.is_complete else None

    @property
    def weakly_solved(self) -> bool | None:
        """Whether the AI never loses from the empty board, on both sides; None: not known."""
        sides = (self.as_circle, self.as_cross)
        return False if False in sides else None if None in sides else True

    @property
    def share(self) -> tuple[float, float] | None:
        """Bounds for the share of critical positions in which the AI is right.

        For a sample, Wilson's 95 % confidence interval; otherwise both are the share itself. Where
        no answer came, the AI counts as wrong in the lower bound, and as right in the upper one.
        None without any valid answer.
        """
        if self.positions_right is None:
            return None
        if self.is_sample or not self.positions:
            total, unasked = self.positions + self.positions_unasked, self.positions_unasked
            least, _ = wilson(self.positions_right, total)
            _, most = wilson(self.positions_right + unasked, total)
            return least, most
        return (self.positions_right / self.positions,) * 2

    def withheld(self) -> "Verdicts":
        """Return the verdicts on an AI without any valid answer, in the same positions."""
        return replace(
            self, classes_right=None, representatives_right=None, positions_right=None,
            best_move_percent=None, expected_loss=None, mean_plies_lost=None, as_circle=None,
            as_cross=None, exploitability=None, exploitability_at_least=None,
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """Return the verdicts as one object."""
        at_least, at_most = self.share or (None, None)
        return {
            "classes_right": self.classes_right,
            "classes": self.classes,
            "representatives_right": self.representatives_right,
            "positions_right": self.positions_right,
            "positions": self.positions,
            "share_right_at_least": at_least,
            "share_right_at_most": at_most,
            "best_move_percent": self.best_move_percent,
            "expected_loss": self.expected_loss,
            "mean_plies_lost": self.mean_plies_lost,
            "strongly_solved": self.strongly_solved,
            "as_circle": self.as_circle,
            "as_cross": self.as_cross,
            "weakly_solved": self.weakly_solved,
            "exploitability": self.exploitability,
            "exploitability_at_least": self.exploitability_at_least,
        }


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
