"""Judge an AI on a solved game by its solution: in every class, or in a sample of them.

A hash of key and seed draws from the classes of unfinished positions. The seed also draws the
member that the AI sees, which exposes an AI that knows only one side of the board.
"""

from contextlib import suppress
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.ai import AIError
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.large.class_keys import ClassKeys
from marubatsu.engine.players.arena import Arena
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Bools, Masks, images
from marubatsu.engine.rules.position import Side
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.agents.address import Subject
from marubatsu.pipeline.agents.agent_process import AgentLimits
from marubatsu.pipeline.agents.players import Players
from marubatsu.pipeline.audit.interview import Interview, interview
from marubatsu.pipeline.audit.verdicts import (
    BLUNDERS,
    BY_PLY,
    GAMES,
    MATCHES,
    REFUTATIONS,
    Audit,
    Verdicts,
)
from marubatsu.pipeline.audit.walk import walk
from marubatsu.pipeline.oracle.answers import Answers
from marubatsu.pipeline.oracle.solution_oracle import SolutionOracle
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import lookup
from marubatsu.pipeline.store.data_set import DataSet, Solution, not_built
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.machine import half_the_memory
from marubatsu.pipeline.support.output import Rows
from marubatsu.pipeline.support.progress import progress, say_waiting

MOST = 5_000_000
"""The most classes that one audit asks about: it holds them in memory."""

OPPONENTS = ("ai2", "perfect")

_AGAIN = 1000  # classes that are asked about twice, to compare the answers


@dataclass(frozen=True)
class Sample:
    """The number of classes to draw, all when ``size`` is None, and the seed to draw with."""

    size: int | None
    seed: int


def run(
    data_set: DataSet,
    whom: Subject,
    limits: AgentLimits,
    repeats: int,
    sample: Sample,
) -> Audit:
    """Judge an AI by the solution of a game.

    Raises DataError when the solution is missing or damaged, or when the AI does not load;
    UsageError for more than `MOST` classes.
    """
    solution = Solution(data_set.root, data_set.game)
    manifest = solution.manifest()
    if manifest is None:
        raise not_built(solution)
    keys, unfinished = _drawn(data_set, sample)
    random = np.random.default_rng(sample.seed)
    members = _members(data_set.game, keys, random)
    oracle = SolutionOracle(solution, say_waiting)
    asked = oracle.answer_many(members)
    with progress("asking") as advance:
        again = np.sort(random.permutation(np.flatnonzero(asked.critical))[:_AGAIN])
        answers = interview(whom, asked, again, limits, repeats, advance)

    def ask(about: Answers) -> Bools:
        more = interview(whom, about, nobody, limits, repeats, lambda share: None)
        answers.add(more)
        return more.is_candidate

    nobody = np.zeros(0, np.int64)
    with progress("walking"):
        walks = {side: walk(oracle, side, ask) for side in Side}
    wrong = _any(asked, answers.is_candidate & ~asked.is_best)
    return Audit(
        game=data_set.game,
        interview=answers,
        unit="class",
        unfinished=unfinished,
        seed=sample.seed,
        data=manifest.data_hash,
        verdicts=Verdicts(
            classes=int(asked.critical.sum()),
            classes_right=int((asked.critical & ~wrong).sum()),
            is_sample=len(keys) < unfinished,
            positions=None,
            positions_right=None,
            as_circle=walks[Side.CIRCLE].never_loses,
            as_cross=walks[Side.CROSS].never_loses,
        ),
        by_ply=_by_ply(asked, answers),
        blunders=_blunders(asked, answers),
        refutations=Rows(
            REFUTATIONS,
            [
                [side.word, len(walked.line), list(walked.line), walked.board]
                for side, walked in walks.items()
                if walked.never_loses is False
            ],
        ),
        matches=Rows(MATCHES, _matches(data_set, whom, limits, sample.seed)),
    )


def _drawn(data_set: DataSet, sample: Sample) -> tuple[NDArray[np.int64], int]:
    """Return the keys of the classes drawn, by ply, and how many classes are unfinished."""
    with open_catalog(data_set, say_waiting, memory=half_the_memory()) as catalog:
        [(unfinished,)] = catalog.ask(lookup("unfinished_classes")).rows
        size = min(sample.size or unfinished, unfinished)
        if size > MOST:
            raise UsageError(
                f"--sample: {data_set.game.name} has {unfinished:,} classes to ask about, expected "
                f"at most {MOST:,} of them"
            )
        drawn = catalog.columns(lookup("sampled_classes"), sample.seed, size)
    order = np.lexsort((drawn["key"], drawn["ply"]))
    return np.asarray(drawn["key"])[order], int(unfinished)


def _members(
    game: Game, keys: NDArray[np.int64], random: np.random.Generator
) -> tuple[Masks, Masks]:
    """Return a member of each class, drawn at random."""
    shown = random.integers(len(symmetries(game)), size=len(keys))
    circle, cross = ClassKeys(game).masks(keys)
    for number, symmetry in enumerate(symmetries(game)):
        here = shown == number
        circle[here] = images(symmetry, circle[here])
        cross[here] = images(symmetry, cross[here])
    return circle, cross


def _matches(
    data_set: DataSet, whom: Subject, limits: AgentLimits, seed: int
) -> list[list[object]]:
    """Play some games against each of `OPPONENTS`; no row where the AI fails in one of them."""
    rows: list[list[object]] = []
    game = data_set.game
    with Players(data_set, limits) as players, progress("playing"), suppress(AIError):
        for name in OPPONENTS:
            seats = (ai.on(game) for ai in (players.seated(whom), players.player(name)))
            played = Arena(new_board(game), *seats).play(GAMES, Random(seed))  # noqa: S311, a game
            for side, tally in (("circle", played.as_circle), ("cross", played.as_cross)):
                counts = (tally.win, tally.draw, tally.lose)
                percent = (round(100 * count / GAMES, 3) for count in counts)
                rows.append([name, side, *percent, None, None, None])
    return rows


def _any(asked: Answers, moves: Bools) -> Bools:
    """Return which positions have at least one of the given moves: [N]."""
    found: Bools = np.bincount(asked.parent, moves, minlength=len(asked)) > 0
    return found


def _by_ply(asked: Answers, answers: Interview) -> Rows:
    """Count critical classes by ply: all, wrong, and those where a won game may be lost."""
    blunders = answers.is_candidate & ~asked.is_best
    wrong, worst = _any(asked, blunders), _any(asked, answers.is_candidate & (asked.loss == 2))
    chance = np.bincount(asked.parent, answers.probability * blunders, minlength=len(asked))
    rows = []
    for ply in np.unique(asked.ply[asked.critical]).tolist():
        here = asked.critical & (asked.ply == ply)
        counts = [int((here & which).sum()) for which in (here, wrong, worst)]
        rows.append([ply, *counts, round(100 * float(chance[here].mean()), 2)])
    return Rows(BY_PLY, rows)


def _blunders(asked: Answers, answers: Interview) -> Rows:
    """List the blunders, the worst first."""
    game, rows = asked.game, []
    for at in np.flatnonzero(answers.is_candidate & ~asked.is_best).tolist():
        place, move = int(asked.parent[at]), int(asked.move[at])
        position, moves = asked[place], asked.moves_of(place)
        rows.append(
            [
                to_text(game, position),
                position.turn.word,
                move,
                to_text(game, position.after(move)),
                int(asked.score[place]),
                int(asked.move_score[at]),
                int(asked.loss[at]),
                round(100 * float(answers.probability[at]), 2),
                asked.move[moves][asked.is_best[moves]].tolist(),
                position.ply,
                None,
            ]
        )
    loss, chance = BLUNDERS.index("loss"), BLUNDERS.index("chance_percent")
    rows.sort(key=lambda row: (-row[loss], -row[chance]))
    return Rows(BLUNDERS, rows)
