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

Where a game has both tables and a solution, a sample comes from the solution; without a sample the
tables judge, if the game is small enough for tables of AIs, else the solution.
"""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.input_error import is_one_of, quote
from marubatsu.engine.rules.masks import Bools, Ints, images, mask_dtype
from marubatsu.engine.rules.position import RESULTS, Position, Status
from marubatsu.engine.rules.symmetry import smallest_member, symmetries
from marubatsu.judge.audit.games import Games
from marubatsu.judge.audit.position_request import (
    FROM_PLAY,
    OWN,
    RANDOM,
    Drawn,
    Plan,
    PositionRequest,
    by_file,
    by_random_play,
    drawn_at,
    size_of,
)
from marubatsu.judge.audit.verdicts import GAMES
from marubatsu.judge.oracle.answers import Answers, joined
from marubatsu.judge.oracle.choose_oracle import (
    ValueSource,
    audit_source,
    has_tables_of_ais,
    open_oracle,
)
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.judge.oracle.solution_oracle import SolutionClasses, SolutionOracle
from marubatsu.judge.oracle.table_oracle import TableOracle
from marubatsu.pipeline.solving.compact_file import data_hash_of
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.stages.staleness import require_usable
from marubatsu.pipeline.support.errors import OutOfTimeError
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.tables.data_set import DataSet, Solution, not_built
from marubatsu.pipeline.tables.integrity import require_intact, snapshot

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
    drawn: Sequence[Drawn] = ()  # [N] the positions with their lines, where they were drawn


@dataclass
class DrawnPositions:
    """How the positions of an audit are drawn, and for which of them the search took too long."""

    plan: Plan
    count: int = 0  # drawn
    late: list[Drawn] = field(default_factory=list)  # whose search ran out of time
    starts: list[Drawn] = field(default_factory=list)  # of games: the first that can be judged
    results: dict[str, int] = field(  # of perfect play from there
        default_factory=lambda: dict.fromkeys([result.word for result in RESULTS], 0)
    )

    def judged(self, positions: Sequence[Drawn], truth: Answers) -> None:
        """Take more positions that can be judged, with the truth about them."""
        starts = positions[: GAMES - len(self.starts)]
        self.starts += starts
        for score in truth.score[: len(starts)].tolist():
            self.results[Status.of_score(score).word] += 1


@dataclass(frozen=True)
class Source:
    """The truth of one audit, and its questions.

    Where ``unit`` is ``position``, batches hold positions of the game, each for itself: one batch
    by tables, one a class of those that a table of answers names. Where it is ``class``, batches
    hold one member of each class that is asked about. They may follow from games of the AI.
    """

    oracle: Oracle
    unit: str
    unfinished: int | None  # unfinished positions or classes of the game; None: not known
    batches: Callable[[Games], Iterable[Batch]]
    data_hash: Callable[[], str | None]  # called when the AI has ended; raises DataError
    ais: Catalog | None = None  # the tables of AIs, against which results are exact
    drawing: DrawnPositions | None = None
    is_complete: bool = False  # whether the AI is asked about every position of the game


@contextmanager
def _by_tables(
    data_set: DataSet,
    request: PositionRequest,
    sample: int | None = None,
    named: Collection[Position] | None = None,
) -> Iterator[Source]:
    """Open the tables of a game for an audit of every position, or of unfinished ``named`` ones.

    Where these are too many for the questions, the seed draws some. Of a ``sample`` of classes, or
    all there are, the seed draws the classes, and one member of each.
    """
    has_ais = has_tables_of_ais(data_set.game)
    opened = snapshot(data_set, require_usable)
    with open_catalog(opened) as catalog:
        catalog.require("an audit", "positions", *(["ais", "ai_moves"] * has_ais))
        oracle, random = TableOracle(opened), np.random.default_rng(request.seed)
        positions = oracle.positions
        truth = oracle.answer_masks(positions.circle, positions.cross)
        unfinished = places = np.flatnonzero(truth.unfinished)
        if named is not None:
            circle, cross = np.array([*named], mask_dtype(data_set.game)).T
            places, _ = positions.find(circle, cross)
        elif sample is not None:
            members = random.permutation(unfinished)
            _, first = np.unique(positions.class_[members], return_index=True)
            unfinished = places = members[first]
        size = request.affordable(min(sample or len(places), len(places)))
        places = np.sort(random.permutation(places)[:size])
        is_complete = sample is None and size == len(unfinished)
        if is_complete:
            places = np.arange(len(truth))
        else:
            truth = oracle.answer_masks(positions.circle[places], positions.cross[places])
        represents, class_ = positions.represents[places], positions.class_[places]
        if sample is None:
            most_again = request.affordable_again(size, size) if named is None else 0
            again = np.flatnonzero(truth.critical & represents)[:most_again]
            batch = Batch(truth, represents, class_, again)
        else:
            again = np.flatnonzero(truth.critical)[: request.affordable_again(size, _AGAIN)]
            batch = Batch(truth, None, None, again)
        yield Source(
            oracle=oracle,
            unit="position" if sample is None else "class",
            unfinished=len(unfinished),
            batches=lambda games: [batch],
            # The AI may have damaged the data.
            data_hash=lambda: require_intact(data_set).manifest.data_hash,
            ais=catalog if has_ais else None,
            is_complete=is_complete,
        )


@contextmanager
def _by_solution(data_set: DataSet, request: PositionRequest, sample: int) -> Iterator[Source]:
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
    yield Source(
        oracle=oracle,
        unit="class",
        unfinished=unfinished,
        batches=lambda games: _members(oracle, classes, np.random.default_rng(seed), most_again),
        data_hash=lambda: oracle.rows.data_hash,
    )


@contextmanager
def _by_oracle(
    data_set: DataSet, request: PositionRequest, plan: Plan, named: Collection[Position] | None
) -> Iterator[Source]:
    """Open the oracle of a game for an audit of drawn positions.

    Where there are ``named`` ones, these are taken: of a class, all that are named.
    """
    game, drawing = data_set.game, DrawnPositions(plan)
    of_file = by_file(game, plan) if plan.how not in FROM_PLAY and named is None else None
    oracle = open_oracle(data_set, seconds=request.time)
    data_hash = data_hash_of(data_set)

    def batches(games: Games) -> Iterator[Batch]:
        if named is not None:
            drawing.count = len(named)
            return _by_class(oracle, drawing, named)
        drawn = games.drawn(plan) if plan.how == OWN else of_file or by_random_play(game, plan)
        drawing.count = len(drawn)
        return _judgeable(oracle, drawing, drawn, request.affordable_again(len(drawn), _AGAIN))

    yield Source(
        oracle=oracle,
        unit="class" if named is None else "position",
        unfinished=None,
        batches=batches,
        data_hash=lambda: data_hash,
        drawing=drawing,
    )


def _judgeable(
    oracle: Oracle, drawing: DrawnPositions, drawn: Sequence[Drawn], most_again: int
) -> Iterator[Batch]:
    """Find the truth about drawn positions; keep apart those for which a search took too long."""
    left = most_again
    for start in range(0, len(drawn), _AHEAD):
        answers: list[Answers] = []
        kept: list[Drawn] = []
        for each in drawn[start : start + _AHEAD]:
            try:
                answers.append(oracle.answer_many([each.position]))
                kept.append(each)
            except OutOfTimeError:
                drawing.late.append(each)
        if kept:
            truth = joined(answers)
            drawing.judged(kept, truth)
            again = np.flatnonzero(truth.critical)[:left]
            left -= len(again)
            yield Batch(truth, None, None, again, kept)


def _by_class(
    oracle: Oracle, drawing: DrawnPositions, positions: Collection[Position]
) -> Iterator[Batch]:
    """Find the truth about positions, all members of a class in one batch."""
    classes: dict[Position, list[Drawn]] = {}
    for position in positions:
        drawn = drawn_at(oracle.game, position, quote(drawing.plan.how))
        classes.setdefault(smallest_member(oracle.game, position), []).append(drawn)
    for number, members in enumerate(classes.values()):
        for batch in _judgeable(oracle, drawing, members, 0):
            yield batch._replace(class_=np.full(len(batch.drawn), number))


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


def open_source(
    data_set: DataSet,
    request: PositionRequest,
    *,
    first: str = MARKS[0],
    names: str = "",
    named: Collection[Position] | None = None,
    is_saved: bool = False,
) -> AbstractContextManager[Source]:
    """Open the source of an audit; on the boards of a file, the mark ``first`` begins.

    ``named`` are the positions in tables of answers, which have the ``names``. Answers that are
    saved need the tables of the game. Raises UsageError for a sample and for plies that make no
    sense, and for a file of other things; DataError when data is missing or damaged.
    """
    is_sampled = request.sample is not None
    source = ValueSource.TABLES if is_saved else audit_source(data_set, is_sampled=is_sampled)
    by_tables, by_search = source is ValueSource.TABLES, source is ValueSource.SEARCH
    if by_tables and not is_sampled and not request.chooses_positions:
        return _by_tables(data_set, request, named=named)
    if by_search or request.chooses_positions or named is not None:
        how = RANDOM if request.positions is None else str(request.positions)
        plan = request.plan(data_set.game, names or how, first, is_searched=by_search)
        return _by_oracle(data_set, request, plan, named)
    size = DEFAULT_SAMPLE
    if is_one_of(request.sample, ["all"]):
        size = sys.maxsize
    elif request.sample is not None:
        size = size_of(request.sample, "expected a number of classes, or all")
    if by_tables:
        return _by_tables(data_set, request, size)
    return _by_solution(data_set, request, size)
