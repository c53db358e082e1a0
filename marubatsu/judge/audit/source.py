"""Sources: the oracle of an audit, the positions to ask about, and the tables of AIs, if any.

By the tables of a game, an AI is asked about every position. By the solution of a larger game, and
where a sample is wanted of a game with tables, it is asked about one member of each class, or of
those that a seed draws. The seed also draws the member, which exposes an AI that knows only one
side of the board. The classes are taken in batches, so memory does not grow with the game. By any
oracle, a search too, it is asked about positions that are drawn from play or from a file.

==================  =================  =================  ===============
options             a game by tables   one by a solution  one by a search
==================  =================  =================  ===============
none                every position     some classes       drawn positions
a sample            some classes       some classes       drawn positions
positions or plies  drawn positions    drawn positions    drawn positions
a table of answers  its positions      its positions      its positions
==================  =================  =================  ===============

Where a game has both tables and a solution, a sample of classes comes from the solution; without a
sample the tables judge, if the game is small enough for tables of AIs, else the solution. About
drawn positions, and those of a table of answers, the tables are asked first.
"""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import is_one_of, quote
from marubatsu.engine.rules.masks import Bools, Ints, images, mask_dtype
from marubatsu.engine.rules.position import RESULTS, Position, Status
from marubatsu.engine.rules.symmetry import smallest_member, symmetries
from marubatsu.judge.audit.draw_positions import (
    OWN,
    RANDOM,
    Plan,
    PositionRequest,
    Reached,
    Scope,
    by_file,
    by_random_play,
    reached_at,
    size_of,
)
from marubatsu.judge.audit.games import Games
from marubatsu.judge.audit.verdicts import GAMES
from marubatsu.judge.oracle.answer import Answers, joined
from marubatsu.judge.oracle.choose_oracle import ValueSource, is_searched_without_data, open_oracle
from marubatsu.judge.oracle.oracle import Oracle, TableOracle
from marubatsu.judge.oracle.solution_oracle import SolutionClasses, SolutionOracle
from marubatsu.pipeline.solving.compact_file import data_hash_of
from marubatsu.pipeline.stages.on_demand import require_tables
from marubatsu.pipeline.stages.stage import stages_of
from marubatsu.pipeline.stages.usable import (
    files_of_tables,
    require_intact,
    require_usable,
    snapshot,
    tables_of,
)
from marubatsu.pipeline.support.errors import OutOfTimeError
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.tables.data_set import DataSet, Solution, not_built
from marubatsu.pipeline.tables.open_file import OpenFile
from marubatsu.pipeline.tables.schemas import AI_MOVES, AIS, POSITIONS

DEFAULT_SAMPLE = 10_000
"""Classes that an audit by a solution asks about by default."""

_BATCH = 500_000  # classes that are held in memory at a time
_AGAIN = 1000  # classes of a solution that are asked about twice
_AHEAD = 32  # drawn positions that are searched before the AI is asked about them


class Batch(NamedTuple):
    """N positions to ask about, with the truth about them; no other batch has their classes."""

    truth: Answers
    represents: Bools | None  # [N] whether it represents its class; None where members are drawn
    class_: Ints | None  # [N] number of the class; None where each position is of another class
    again: Ints  # places of the positions to ask about twice, to compare the answers
    drawn: Sequence[Reached] = ()  # [N] the positions with their lines, where they were drawn


@dataclass
class DrawnPositions:
    """Positions that are drawn from play, or that files name, and which of them can be judged."""

    oracle: Oracle
    request: PositionRequest
    plan: Plan
    drawn: Sequence[Reached] | None  # None: those of the AI's own games
    is_by_class: bool  # whether batches hold all positions of one class
    count: int = 0  # drawn
    late: list[Reached] = field(default_factory=list)  # whose search ran out of time
    starts: list[Reached] = field(default_factory=list)  # of games: the first that can be judged
    results: dict[str, int] = field(  # of perfect play from there
        default_factory=lambda: dict.fromkeys([result.word for result in RESULTS], 0)
    )

    def batches(self, games: Games) -> Iterator[Batch]:
        """Find the truth about the positions, those of the AI's own ``games`` too."""
        drawn = games.drawn(self.plan) if self.drawn is None else self.drawn
        drawn = sorted(drawn, key=lambda each: len(each.line))  # Games start from the first.
        self.count = len(drawn)
        if not self.is_by_class:
            most_again = self.request.affordable_again(len(drawn), _AGAIN)
            yield from self._judged(drawn, _AHEAD, most_again)
            return
        classes: dict[Position, list[Reached]] = {}
        for each in drawn:
            classes.setdefault(smallest_member(self.oracle.game, each.position), []).append(each)
        for number, members in enumerate(classes.values()):
            for batch in self._judged(members, len(members), 0):
                yield batch._replace(class_=np.full(len(batch.drawn), number))

    def _judged(self, drawn: Sequence[Reached], ahead: int, most_again: int) -> Iterator[Batch]:
        """Find the truth about so many positions at a time; keep apart those that take too long."""
        left = most_again
        for start in range(0, len(drawn), ahead):
            answers: list[Answers] = []
            kept: list[Reached] = []
            for each in drawn[start : start + ahead]:
                try:
                    answers.append(self.oracle.answer_many([each.position]))
                    kept.append(each)
                except OutOfTimeError:
                    self.late.append(each)
            if kept:
                truth = joined(answers)
                self._start_games(kept, truth)
                again = np.flatnonzero(truth.critical)[:left]
                left -= len(again)
                yield Batch(truth, None, None, again, kept)

    def _start_games(self, positions: Sequence[Reached], truth: Answers) -> None:
        """Take positions that games start from, as long as there are too few."""
        starts = positions[: GAMES - len(self.starts)]
        self.starts += starts
        for score in truth.score[: len(starts)].tolist():
            self.results[Status.of_score(score).word] += 1


@dataclass(frozen=True)
class Source:
    """The truth of one audit, and its questions."""

    oracle: Oracle
    scope: Scope
    unfinished: int | None  # unfinished positions or classes of the game; None: not known
    batches: Callable[[Games], Iterable[Batch]]  # what to ask about, perhaps from the AI's games
    data_hash: Callable[[], str | None]  # called when the AI has ended: it may have damaged tables
    ais: Sequence[OpenFile] = ()  # of table ``ai_moves``, against which results are exact
    drawn: DrawnPositions | None = None


def _by_tables(
    data_set: DataSet,
    request: PositionRequest,
    listed: Collection[Position] | None = None,
    *,
    sample: int | None = None,
) -> Source:
    """Open the tables of a game for an audit of positions, or of a ``sample`` of its classes."""
    has_ais = has_tables_of_ais(data_set.game)
    opened = snapshot(data_set, require_usable)
    assert opened.opened is not None
    needed = [POSITIONS.name, *[AI_MOVES.name] * has_ais]
    require_tables(data_set, tables_of(opened.opened), "an audit", *needed)
    oracle = TableOracle(opened)
    scope, unfinished, batch = (
        _positions(oracle, request, listed) if sample is None else _classes(oracle, request, sample)
    )
    return Source(
        oracle=oracle,
        scope=scope,
        unfinished=unfinished,
        batches=lambda games: [batch],
        data_hash=lambda: require_intact(data_set).manifest.data_hash,
        ais=files_of_tables(opened.opened)[AI_MOVES.name] if has_ais else (),
    )


def _positions(
    oracle: TableOracle, request: PositionRequest, listed: Collection[Position] | None
) -> tuple[Scope, int, Batch]:
    """Choose every position, or the ``listed`` ones; return how many are unfinished, too.

    Where the questions are too few, the seed draws some. Finished positions come with the others
    where these are all.
    """
    positions = oracle.positions
    truth = oracle.answer_masks(positions.circle, positions.cross)
    places = unfinished = np.flatnonzero(truth.unfinished)
    if listed is not None:
        places, _ = positions.find(*np.array([*listed], mask_dtype(oracle.game)).T)
    size = request.affordable(len(places))
    scope: Scope = "all" if size == len(unfinished) else "positions" if listed is None else "named"
    places = np.sort(np.random.default_rng(request.seed).permutation(places)[:size])
    if scope == "all":
        places = np.arange(len(truth))
    else:
        truth = truth.at(places)
    represents, class_ = positions.represents[places], positions.class_[places]
    most_again = request.affordable_again(size, size) if listed is None else 0
    again = np.flatnonzero(truth.critical & represents)[:most_again]
    return scope, len(unfinished), Batch(truth, represents, class_, again)


def _classes(
    oracle: TableOracle, request: PositionRequest, sample: int
) -> tuple[Scope, int, Batch]:
    """Choose a member of each of ``sample`` classes; return how many are unfinished, too.

    The seed draws both. There may be fewer classes.
    """
    positions, random = oracle.positions, np.random.default_rng(request.seed)
    truth = oracle.answer_masks(positions.circle, positions.cross)
    members = random.permutation(np.flatnonzero(truth.unfinished))
    _, first = np.unique(positions.class_[members], return_index=True)
    size = request.affordable(min(sample, len(first)))
    truth = truth.at(np.sort(random.permutation(members[first])[:size]))
    again = np.flatnonzero(truth.critical)[: request.affordable_again(size, _AGAIN)]
    return "classes", len(first), Batch(truth, None, None, again)


def _by_solution(data_set: DataSet, request: PositionRequest, sample: int) -> Source:
    """Open the solution of a game for an audit of ``sample`` classes, or of all there are."""
    solution = data_set.sibling(Solution)
    if not solution.is_solved:
        raise not_built(solution)
    if not solution.is_compact:
        solution = snapshot(data_set, require_usable).sibling(Solution)
    oracle = SolutionOracle(solution)
    unfinished, seed = oracle.rows.unfinished, request.seed
    size = request.affordable(min(sample, unfinished))
    if size == unfinished:
        classes = oracle.unfinished(_BATCH)
    else:
        with progress("drawing classes") as advance:
            classes = _cut(oracle.drawn(size, seed, advance))
    most_again = request.affordable_again(size, _AGAIN)
    members = _members(oracle, classes, np.random.default_rng(seed), most_again)
    return Source(
        oracle=oracle,
        scope="classes",
        unfinished=unfinished,
        batches=lambda games: members,
        data_hash=lambda: oracle.rows.data_hash,
    )


def _by_oracle(
    data_set: DataSet, request: PositionRequest, plan: Plan, listed: Collection[Position] | None
) -> Source:
    """Open the oracle of a game for an audit of drawn positions, or of all ``listed`` ones."""
    game = data_set.game
    if listed is not None:
        order = np.random.default_rng(request.seed).permutation(len(listed))
        numbers = np.sort(order[: request.affordable(len(listed))]).tolist()
        named = [*listed]
        drawn = [reached_at(game, named[number], quote(plan.how)) for number in numbers]
    elif plan.how == OWN:
        drawn = None
    else:
        drawn = (by_random_play if plan.how == RANDOM else by_file)(game, plan)
    oracle = open_oracle(data_set, seconds=request.time)
    data_hash = data_hash_of(data_set)
    positions = DrawnPositions(oracle, request, plan, drawn, is_by_class=listed is not None)
    return Source(
        oracle=oracle,
        scope="drawn" if listed is None else "named",
        unfinished=None,
        batches=positions.batches,
        data_hash=lambda: data_hash,
        drawn=positions,
    )


def _cut(classes: SolutionClasses) -> Iterator[SolutionClasses]:
    for start in range(0, len(classes.row), _BATCH):
        yield SolutionClasses(*(column[start : start + _BATCH] for column in classes))


def _members(
    oracle: SolutionOracle,
    batches: Iterable[SolutionClasses],
    random: np.random.Generator,
    most_again: int,
) -> Iterator[Batch]:
    """Draw a member of each class at random, and those to ask about twice."""
    left = most_again
    for classes in batches:
        circle, cross = oracle.masks(classes)
        number_of = random.integers(len(symmetries(oracle.game)), size=len(circle))
        for number, symmetry in enumerate(symmetries(oracle.game)):
            here = number_of == number
            circle[here] = images(symmetry, circle[here])
            cross[here] = images(symmetry, cross[here])
        truth = oracle.answer_masks(circle, cross)
        again = np.sort(random.permutation(np.flatnonzero(truth.critical))[:left])
        left -= len(again)
        yield Batch(truth, None, None, again)


def _judge_of(data_set: DataSet, *, is_sampled: bool) -> ValueSource:
    """Return what judges an AI; without tables and solution, what an error asks for."""
    is_built, is_solved = data_set.has_manifest, data_set.sibling(Solution).is_solved
    if is_built != is_solved:
        return ValueSource.TABLES if is_built else ValueSource.SOLUTION
    if not is_built and is_searched_without_data(data_set.game):
        return ValueSource.SEARCH
    by_tables = has_tables_of_ais(data_set.game) and not (is_solved and is_sampled)
    return ValueSource.TABLES if by_tables else ValueSource.SOLUTION


def has_tables_of_ais(game: Game) -> bool:
    """Return whether a game is small enough for the tables of AIs."""
    return any(stage.table is AIS for stage in stages_of(game))


def open_source(
    data_set: DataSet,
    request: PositionRequest,
    *,
    first: str = MARKS[0],
    tables: str = "",
    listed: Collection[Position] | None = None,
    is_saved: bool = False,
) -> Source:
    """Open the source of an audit; on the boards of a file, the mark ``first`` begins.

    ``listed`` are the positions in tables of answers, which are called ``tables``. Answers that are
    saved need the tables of the game. Raises UsageError for a sample and for plies that make no
    sense, and for a file of other things; DataError when data is missing or damaged.
    """
    is_sampled = request.sample is not None
    judge = ValueSource.TABLES if is_saved else _judge_of(data_set, is_sampled=is_sampled)
    by_tables, by_search = judge is ValueSource.TABLES, judge is ValueSource.SEARCH
    if by_tables and not is_sampled and not request.chooses_positions:
        return _by_tables(data_set, request, listed)
    if by_search or request.chooses_positions or listed is not None:
        how = RANDOM if request.positions is None else str(request.positions)
        plan = request.plan(data_set.game, tables or how, first, is_searched=by_search)
        return _by_oracle(data_set, request, plan, listed)
    size = DEFAULT_SAMPLE
    if is_one_of(request.sample, ["all"]):
        size = sys.maxsize
    elif request.sample is not None:
        size = size_of(request.sample, "expected a number of classes, or all")
    if by_tables:
        return _by_tables(data_set, request, sample=size)
    return _by_solution(data_set, request, size)
