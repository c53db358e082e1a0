"""Judge an AI on a solved game by its solution: in every class, or in a sample of them.

A hash of key and seed draws from the classes of unfinished positions. The seed also draws the
member that the AI sees, which exposes an AI that knows only one side of the board. The classes are
taken in batches, so memory does not grow with the game.
"""

from collections.abc import Iterator
from contextlib import suppress
from random import Random

import numpy as np

from marubatsu.engine.ais.ai import AIError
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.large.class_keys import ClassKeys
from marubatsu.engine.players.arena import Arena
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Bools, Ints, Masks, images
from marubatsu.engine.rules.position import Side
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.agents.address import Subject
from marubatsu.pipeline.agents.agent_process import AgentLimits
from marubatsu.pipeline.agents.players import Players
from marubatsu.pipeline.audit.interview import Interviewer
from marubatsu.pipeline.audit.mistakes import Mistakes
from marubatsu.pipeline.audit.verdicts import GAMES, MATCHES, REFUTATIONS, Audit, Verdicts
from marubatsu.pipeline.audit.walk import walk
from marubatsu.pipeline.oracle.answers import Answers
from marubatsu.pipeline.oracle.solution_oracle import SolutionOracle
from marubatsu.pipeline.rows.output import Rows
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import lookup
from marubatsu.pipeline.store.data_set import DataSet, Solution, not_built
from marubatsu.pipeline.support.machine import half_the_memory
from marubatsu.pipeline.support.progress import progress, say_waiting

OPPONENTS = ("ai2", "perfect")

_BATCH = 500_000  # classes that are held in memory at a time
_AGAIN = 1000  # classes that are asked about twice, to compare the answers


def run(
    data_set: DataSet,
    whom: Subject,
    limits: AgentLimits,
    repeats: int,
    sample: int | None,
    seed: int,
) -> Audit:
    """Judge an AI by the solution of a game, in ``sample`` classes, or in all when it is None.

    Raises DataError when the solution is missing or damaged, or when the AI does not load.
    """
    game = data_set.game
    solution = Solution(data_set.root, game)
    manifest = solution.manifest()
    if manifest is None:
        raise not_built(solution)
    oracle = SolutionOracle(solution, say_waiting)
    unfinished, drawn = _drawn(data_set, sample, seed)
    random = np.random.default_rng(seed)
    found = Mistakes(game)
    with Players(data_set, limits) as players:
        interviewer = Interviewer(whom, players, game, repeats)
        with progress("asking") as advance:
            done = 0
            for keys in _batches(drawn) if drawn is not None else oracle.unfinished(_BATCH):

                def reached(share: float, before: int = done, size: int = len(keys)) -> None:
                    advance((before + share * size) / unfinished)

                asked = oracle.answer_many(_members(game, keys, random))
                some = random.permutation(np.flatnonzero(asked.critical))
                left = max(0, _AGAIN - interviewer.interview.asked_again)
                choices = interviewer.ask(asked, np.sort(some[:left]), reached)
                interviewer.interview.count(asked, choices)
                found.add(asked, choices)
                done += len(keys)

        def ask(about: Answers) -> Bools:
            return interviewer.ask(about).is_candidate

        with progress("walking"):
            walks = {side: walk(oracle, side, ask) for side in Side}
        matches = _matches(game, players, whom, seed)
    return Audit(
        game=game,
        interview=interviewer.interview,
        unit="class",
        unfinished=unfinished,
        seed=seed,
        data=manifest.data_hash,
        verdicts=Verdicts(
            classes=found.critical,
            classes_right=found.critical - found.wrong,
            is_sample=done < unfinished,
            positions=None,
            positions_right=None,
            best_move_percent=found.best_move_percent,
            expected_loss=found.expected_loss,
            as_circle=walks[Side.CIRCLE].never_loses,
            as_cross=walks[Side.CROSS].never_loses,
        ),
        by_ply=found.by_ply(),
        blunders=found.blunders(),
        blunders_found=found.blunders_found,
        refutations=Rows(
            REFUTATIONS,
            [
                [side.word, len(walked.line), list(walked.line), walked.board]
                for side, walked in walks.items()
                if walked.never_loses is False
            ],
        ),
        matches=Rows(MATCHES, matches),
    )


def _drawn(data_set: DataSet, sample: int | None, seed: int) -> tuple[int, Ints | None]:
    """Return how many classes are unfinished, and the keys of those drawn; None for all."""
    with open_catalog(data_set, say_waiting, memory=half_the_memory()) as catalog:
        [(unfinished,)] = catalog.ask(lookup("unfinished_classes")).rows
        if sample is None or sample >= unfinished:
            return unfinished, None
        drawn = catalog.columns(lookup("sampled_classes"), seed, sample)
    order = np.lexsort((drawn["key"], drawn["ply"]))
    return unfinished, np.asarray(drawn["key"])[order]


def _batches(keys: Ints) -> Iterator[Ints]:
    """Cut keys into batches."""
    for start in range(0, len(keys), _BATCH):
        yield keys[start : start + _BATCH]


def _members(game: Game, keys: Ints, random: np.random.Generator) -> tuple[Masks, Masks]:
    """Return a member of each class, drawn at random."""
    shown = random.integers(len(symmetries(game)), size=len(keys))
    circle, cross = ClassKeys(game).masks(keys)
    for number, symmetry in enumerate(symmetries(game)):
        here = shown == number
        circle[here] = images(symmetry, circle[here])
        cross[here] = images(symmetry, cross[here])
    return circle, cross


def _matches(game: Game, players: Players, whom: Subject, seed: int) -> list[list[object]]:
    """Play some games against each of `OPPONENTS`; no row where the AI fails in one of them."""
    rows: list[list[object]] = []
    with progress("playing"), suppress(AIError):
        for name in OPPONENTS:
            seats = (ai.on(game) for ai in (players.seated(whom), players.player(name)))
            played = Arena(new_board(game), *seats).play(GAMES, Random(seed))  # noqa: S311, a game
            for side, tally in (("circle", played.as_circle), ("cross", played.as_cross)):
                counts = (tally.win, tally.draw, tally.lose)
                percent = (round(100 * count / GAMES, 3) for count in counts)
                rows.append([name, side, *percent, None, None, None])
    return rows
