"""Judge an AI on a solved game by its solution: in every class, or in a sample of them.

A hash of key and seed draws from the classes of unfinished positions. The seed also draws the
member that the AI sees, which exposes an AI that knows only one side of the board.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.keys import Keys
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Bools, Ints, images, mask_dtype
from marubatsu.engine.rules.position import Status
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.engine.tree.positions import Positions
from marubatsu.pipeline.agents.address import Subject
from marubatsu.pipeline.agents.agent_process import AgentLimits
from marubatsu.pipeline.audit.interview import Answers, interview
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.sql.query_files import lookup
from marubatsu.pipeline.store.data_set import DataSet, Solution, not_built
from marubatsu.pipeline.store.integrity import require_intact, tables_of
from marubatsu.pipeline.store.manifest import FILE as MANIFEST
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.machine import half_the_memory
from marubatsu.pipeline.support.output import Rows
from marubatsu.pipeline.support.progress import progress, say_waiting

MOST = 5_000_000
"""The most classes that one audit asks about: it holds them in memory."""

_AGAIN = 1000  # classes that are asked about twice, to compare the answers
_Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations


@dataclass(frozen=True)
class Sample:
    """The number of classes to draw, all when ``size`` is None, and the seed to draw with."""

    size: int | None
    seed: int


@dataclass(frozen=True)
class SolvedAudit:
    """The verdicts on one AI on a solved game."""

    game: str
    answers: Answers
    unfinished: int  # unfinished classes of the game
    seed: int
    by_ply: Rows
    blunders: Rows  # in the classes asked about, one row for each blunder

    def _repr_html_(self) -> str:
        """Show the audit as a page in a notebook."""
        from marubatsu.pipeline.audit.audit_page import render

        return render(self, Game(self.game))

    @property
    def classes(self) -> int:
        """Number of classes that the AI was asked about."""
        return self.answers.unfinished

    @property
    def is_sample(self) -> bool:
        """Whether the AI was asked about some of the classes only."""
        return self.classes < self.unfinished

    @property
    def critical(self) -> int:
        """Number of classes asked about where some legal move is not a best move."""
        return sum(self.by_ply.column("critical_classes"))

    @property
    def wrong(self) -> int:
        """Number of critical classes in which the AI may choose a move that is not a best move."""
        return sum(self.by_ply.column("wrong_classes"))

    @property
    def interval(self) -> tuple[float, float]:
        """Return bounds for the share of critical classes in which the AI is right.

        For a sample, Wilson's 95 % confidence interval; otherwise both bounds are the share itself.
        """
        right = self.critical - self.wrong
        if self.is_sample or not self.critical:
            return wilson(right, self.critical)
        return right / self.critical, right / self.critical

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object."""
        return {
            **self.answers.to_json(),
            "game": self.game,
            "classes": self.classes,
            "unfinished_classes": self.unfinished,
            "classes_without_answer": self.answers.silent,
            "seed": self.seed,
            "verdicts": {
                "critical_classes": self.critical,
                "critical_classes_right": self.critical - self.wrong,
                "share_right_at_least": self.interval[0],
                "share_right_at_most": self.interval[1],
                "strongly_solved": False if self.wrong else None if self.is_sample else True,
            },
            "blunders_by_ply": self.by_ply.records(),
            "blunders": self.blunders.records(),
        }


def wilson(right: int, total: int) -> tuple[float, float]:
    """Return a 95 % confidence interval for a share, from a sample.

    Wilson's score interval (E. B. Wilson, 1927), which also works when none or all are right.
    """
    if not total:
        return 0.0, 1.0
    middle = (right + _Z**2 / 2) / (total + _Z**2)
    spread = _Z / (total + _Z**2) * sqrt(right * (total - right) / total + _Z**2 / 4)
    return max(0.0, middle - spread), min(1.0, middle + spread)


def run(
    data_set: DataSet,
    whom: Subject,
    limits: AgentLimits,
    repeats: int,
    sample: Sample,
) -> SolvedAudit:
    """Judge an AI by the solution of a game.

    Raises DataError when the solution is missing or damaged, before or after, or when the AI
    does not load; UsageError for more than `MOST` classes.
    """
    solution = Solution(data_set.root, data_set.game)
    if not solution.path(MANIFEST).exists():
        raise not_built(solution)
    with open_catalog(data_set, say_waiting, memory=half_the_memory()) as catalog:
        unfinished = _draw(catalog, data_set.game, sample)
        asked = _Asked(catalog, data_set.game, sample.seed)
        with progress("asking") as advance:
            again = np.flatnonzero(asked.critical)
            again = np.sort(asked.random.permutation(again)[:_AGAIN])
            answers = interview(whom, asked.positions, again, limits, repeats, advance)
        tables_of(data_set, require_intact)  # The AI may have damaged them.
    return SolvedAudit(
        game=data_set.game.name,
        answers=answers,
        unfinished=unfinished,
        seed=sample.seed,
        by_ply=asked.by_ply(answers),
        blunders=asked.blunders(answers),
    )


def _draw(catalog: Catalog, game: Game, sample: Sample) -> int:
    """Narrow the solution's views to the classes drawn; return how many classes are unfinished."""
    [(unfinished,)] = catalog.ask(lookup("unfinished_classes")).rows
    size = min(sample.size or unfinished, unfinished)
    if size > MOST:
        raise UsageError(
            f"--sample: {game.name} has {unfinished:,} classes to ask about, expected at most "
            f"{MOST:,} of them"
        )
    catalog.narrow("solution_rows", lookup("sampled_classes"), sample.seed, size)
    return int(unfinished)


class _Asked:
    """The classes to ask about, one member of each, and the losses of its moves.

    Shapes: N classes, M moves, sorted by ply, key and the cell that the AI sees.
    """

    def __init__(self, catalog: Catalog, game: Game, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        found = catalog.columns(lookup("losses_of_moves"))
        key = np.asarray(found["key"])
        first = np.flatnonzero(np.diff(key, prepend=key[:1] - 1))
        shown = self.random.integers(len(symmetries(game)), size=len(first))
        goals = np.array([symmetry.image for symmetry in symmetries(game)])
        counts = np.diff(first, append=len(key))
        group = np.repeat(np.arange(len(first)), counts)
        move = goals[shown[group], np.asarray(found["move"])]
        order = np.lexsort((move, group))
        keys = Keys(game)
        masks = [keys.position(each) for each in key[first].tolist()]
        circle, cross = np.array(masks, dtype=mask_dtype(game)).reshape(-1, 2).T.copy()
        for number, symmetry in enumerate(symmetries(game)):
            here = shown == number
            circle[here] = images(symmetry, circle[here])
            cross[here] = images(symmetry, cross[here])
        self.positions = Positions(
            game=game,
            circle=circle,
            cross=cross,
            status=np.full(len(first), Status.PLAYING, dtype=np.int8),
            first_position=(0, len(first)),
            first_move=np.append(first, len(key)).astype(np.int64),
            move=move[order].astype(np.int8),
            child=np.full(len(key), -1),
        )
        self._group: Ints = group
        self._loss: NDArray[np.int8] = np.asarray(found["loss"])[order]
        self._ply: NDArray[np.int8] = np.asarray(found["ply"])[first]
        self.critical: Bools = self._any(self._loss > 0)  # [N]

    def _any(self, moves: Bools) -> Bools:
        """Return which classes have at least one of the given moves: [N]."""
        return np.bincount(self._group, moves, minlength=len(self.positions)) > 0

    def by_ply(self, answers: Answers) -> Rows:
        """Count classes by ply: all, critical, wrong, and those where a won game may be lost."""
        wrong = self._any(answers.is_candidate & (self._loss > 0))
        worst = self._any(answers.is_candidate & (self._loss == 2))
        rows = []
        for ply in np.unique(self._ply).tolist():
            here = self._ply == ply
            counts = [int((here & which).sum()) for which in (self.critical, wrong, worst)]
            rows.append([ply, int(here.sum()), *counts])
        columns = ("ply", "classes", "critical_classes", "wrong_classes", "loses_a_won_game")
        return Rows(columns, rows)

    def blunders(self, answers: Answers) -> Rows:
        """List the blunders, the worst first."""
        positions, rows = self.positions, []
        for at in np.flatnonzero(answers.is_candidate & (self._loss > 0)).tolist():
            place = int(self._group[at])
            moves = slice(*positions.first_move[place : place + 2].tolist())
            rows.append(
                [
                    to_text(positions.game, positions[place]),
                    int(self._ply[place]),
                    "cross" if self._ply[place] % 2 else "circle",
                    int(positions.move[at]),
                    int(self._loss[at]),
                    round(100 * float(answers.probability[at]), 2),
                    positions.move[moves][self._loss[moves] == 0].tolist(),
                ]
            )
        rows.sort(key=lambda row: (-row[4], -row[5]))
        columns = ("board", "ply", "turn", "move", "loss", "chance_percent", "best_moves")
        return Rows(columns, rows)
