"""An audit from beginning to end: ask the AI, compare with the oracle, walk, match."""

from pathlib import Path
from typing import Unpack

from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Side
from marubatsu.judge.agents.address import AddressedAI, OurAI, SavedAI, ais_at, is_evaluation
from marubatsu.judge.agents.agent_limits import AgentLimits, limits_for
from marubatsu.judge.agents.agent_options import AgentOptions
from marubatsu.judge.agents.players import Players
from marubatsu.judge.audit import match_results, saved
from marubatsu.judge.audit.drawn_positions import FROM_PLAY, RANDOM, plan_of
from marubatsu.judge.audit.interview import Choices, Interviewer
from marubatsu.judge.audit.match_results import Games
from marubatsu.judge.audit.mistakes import Answered, AvoidedWins, Mistakes
from marubatsu.judge.audit.source import (
    Batch,
    DrawnPositions,
    Source,
    by_drawn_positions,
    by_solution,
    by_tables,
    goes_by_tables,
    has_tables_of_ais,
)
from marubatsu.judge.audit.verdicts import MATCHES, REFUTATIONS, Audit, Sampled, Verdicts
from marubatsu.judge.audit.walk import MOST, Walked, asking, recalling, walk
from marubatsu.judge.oracle.opening import goes_by_search
from marubatsu.pipeline.stages.on_demand import data_on_demand
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support.errors import DataError, OptionError, whole
from marubatsu.pipeline.support.keywords import require_keywords
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.support.search_limits import AUDIT_SECONDS, checked_time
from marubatsu.pipeline.tables.output import Rows

DEFAULT_SAMPLE = 10_000
"""Classes that an audit by a solution asks about, unless told otherwise."""


def run(
    data_set: DataSet,
    ai: AddressedAI,
    limits: AgentLimits,
    repeats: int = 1,
    sample: int | str | None = None,
    seed: int = 0,
    save_as: str | None = None,
    *,
    positions: str | None = None,
    plies: str | None = None,
    numbering: str | None = None,
    seconds: float = AUDIT_SECONDS,
) -> Audit:
    """Judge an AI in every position by the tables, or in a sample of classes by the solution.

    The solution judges a solved game that has no tables of AIs. With a sample, a number of classes
    or ``all``, it judges in any case; the seed draws the sample. Under the name ``save_as``, the
    answers of a foreign AI are kept beside the tables.

    With ``positions`` (``random``, ``own`` or the name of a file) or ``plies`` (as in ``12-``), the
    oracle of the game judges positions that are drawn, and so does a search that has ``seconds``
    for each where the game has no data and is too large to be built at once. On the boards of a
    file begins the same mark as for the AI; the moves in it have a ``numbering``.

    Raises DataError when the data is missing or damaged, before or after, or when the AI does not
    load; UsageError for numbers that make no sense, for a file that holds other things, and for an
    AI that cannot be saved.
    """
    if not 1 <= repeats <= 1000:
        raise OptionError("repeat", repeats, "expected 1 to 1000")
    seed = whole("seed", seed)
    checked_time(seconds, may_be_zero=False)
    if numbering is not None and positions in (None, *FROM_PLAY):
        raise OptionError(
            "numbering", numbering,
            "expected moves that have it: name a file of them by the option positions",
        )  # fmt: skip
    searched = goes_by_search(data_set)
    is_drawn = searched or positions is not None or plies is not None
    if save_as is not None:
        _require_savable(data_set, ai, save_as, is_all=sample is None and not is_drawn)
    if is_drawn:
        how = RANDOM if positions is None else positions
        plan = plan_of(
            data_set.game, how, plies, sample, seed,
            searched=searched, first=MARKS[limits.is_exchanged], numbering=numbering,
        )  # fmt: skip
        opened = by_drawn_positions(data_set, plan, seconds)
    elif sample is None and (save_as is not None or goes_by_tables(data_set)):
        opened = by_tables(data_set)
    else:
        size = _size(DEFAULT_SAMPLE if sample is None else sample)
        opened = by_solution(data_set, size, seed)
    with opened as source:
        found, choices = _judge(source, data_set, ai, limits, repeats, seed)
    if save_as is not None:
        saved.save(data_set, save_as, found.interview, choices)
    return found


def _size(sample: int | str) -> int | None:
    """Return the size of a sample, None for all classes. Raises UsageError."""
    if sample == "all":
        return None
    digits = str(sample)[:19]
    if not (digits.isascii() and digits.isdecimal() and int(digits) > 0):
        raise OptionError("sample", sample, "expected a number of classes, or all")
    return int(digits)


def _require_savable(data_set: DataSet, ai: AddressedAI, name: str, *, is_all: bool) -> None:
    """Raise UsageError for an audit whose answers cannot be kept."""
    saved.require_name(name)
    if isinstance(ai, OurAI | SavedAI):
        known = "saved already" if isinstance(ai, SavedAI) else "one of ours"
        raise OptionError("save", name, f"expected a foreign AI; {ai.name} is {known}")
    if not is_all or not has_tables_of_ais(data_set.game):
        raise OptionError(
            "save", name,
            "this keeps answers in every position of a game with tables of AIs; leave out the "
            "options sample, positions and plies, or ask about a smaller game than "
            f"{data_set.game.name}",
        )  # fmt: skip


def _judge(
    source: Source,
    data_set: DataSet,
    ai: AddressedAI,
    limits: AgentLimits,
    repeats: int,
    seed: int,
) -> tuple[Audit, Choices]:
    """Judge an AI; return its choices in the last batch, too."""
    game, in_all, sampled = data_set.game, source.unit == "position", None
    found, answered, wins = Mistakes(game), Answered(), AvoidedWins()
    with Players(data_set, limits, notes_box=False) as players:
        interviewer = Interviewer(ai, players, game, repeats)
        games = Games(source.oracle, interviewer)
        batch, choices = _ask(interviewer, source, games, found, answered, wins)
        if source.drawing is not None:
            matches = games.matches(source.drawing.starts, seed)
            walks = {side: games.walked(side) for side in Side}
            sampled = _sampled(source.drawing, games, answered)
        else:
            with progress("walking"):
                ask = recalling(batch.truth, choices) if in_all else asking(interviewer)
                most = None if in_all else MOST
                walks = {side: walk(source.oracle, side, ask, most) for side in Side}
            if not in_all:
                matches = match_results.played(game, players, ai, seed)
        interviewer.compare_marks(seed)
    interview, data_hash = interviewer.interview, source.data_hash()
    if is_evaluation(ai) and (finding := wins.finding()):
        interview.findings.append(finding)
    if interview.unasked:  # Nobody knows how it plays there.
        walks, matches = dict.fromkeys(Side, Walked(never_loses=None)), Rows(MATCHES, [])
    elif in_all:
        with progress("matching") as advance:
            matches = match_results.computed(batch.truth, choices, source.ais, advance)
    exploited, at_least = match_results.exploitability(matches) if sampled is None else (None, None)
    audit = Audit(
        game=game,
        interview=interview,
        unit=source.unit,
        unfinished=source.unfinished,
        seed=None if in_all else seed,
        data=data_hash,
        verdicts=Verdicts(
            classes=found.classes,
            classes_right=found.classes_right,
            representatives_right=found.representatives_right,
            is_sample=source.unfinished is None or interview.unfinished < source.unfinished,
            is_complete=in_all and not interview.unasked,
            positions_unasked=found.positions_unasked,
            positions=found.positions,
            positions_right=found.positions_right,
            best_move_percent=found.best_move_percent,
            expected_loss=found.expected_loss,
            mean_plies_lost=found.mean_plies_lost,
            as_circle=walks[Side.CIRCLE].never_loses,
            as_cross=walks[Side.CROSS].never_loses,
            exploitability=exploited,
            exploitability_at_least=at_least,
        ),
        by_ply=found.by_ply(),
        blunders=found.blunders(),
        blunders_found=found.blunders_found,
        refutations=Rows(REFUTATIONS, _refutations(walks)),
        matches=matches,
        sampled=sampled,
    )
    return (audit if interview.is_judged else audit.withheld()), choices


def _ask(
    interviewer: Interviewer,
    source: Source,
    games: Games,
    found: Mistakes,
    answered: Answered,
    wins: AvoidedWins,
) -> tuple[Batch, Choices]:
    """Ask an AI about all batches, and count its mistakes; return the last batch, answered."""
    told, drawing = interviewer.interview, source.drawing
    with progress("asking") as advance:
        for batch in source.batches(games):
            size = int(batch.truth.unfinished.sum())
            total = (drawing.count if drawing else source.unfinished) or size

            def reached(
                share: float, before: int = told.unfinished, size: int = size, total: int = total
            ) -> None:
                advance((before + share * size) / total)

            choices = interviewer.ask(batch.truth, batch.again, reached)
            told.count(batch.truth, choices)
            found.add(batch, choices)
            answered.add(batch, choices)
            interviewer.judged(batch.truth, choices)
            wins.add(batch.truth, choices)
    if drawing is not None and not told.unfinished:
        raise DataError(_nothing(drawing))
    return batch, choices


def _nothing(drawing: DrawnPositions) -> str:
    """Say why there is no position to judge an AI in."""
    plan = drawing.plan
    if drawing.late:
        return (
            f"the search had too little time for every position drawn ({drawing.count:,}): give it "
            "more by the option time, or draw later ones by the option plies"
        )
    return f"no unfinished position of the plies {plan.first} to {plan.last} was found: try others"


def _sampled(drawing: DrawnPositions, games: Games, answered: Answered) -> Sampled:
    """Tell how the positions were drawn, and what the AI gave away in them."""
    plan = drawing.plan
    return Sampled(
        positions=plan.how,
        first_ply=plan.first,
        last_ply=plan.last,
        drawn=drawing.count,
        out_of_time=[late.line for late in drawing.late],
        by_ply=answered.by_ply(drawing.late),
        answers=answered.answers(),
        starts=drawing.results,
        games_out_of_time=games.out_of_time,
    )


def _refutations(walks: dict[Side, Walked]) -> list[list[object]]:
    """Return the lines by which an AI loses."""
    return [
        [side.word, len(walked.line), list(walked.line), walked.board]
        for side, walked in walks.items()
        if walked.never_loses is False
    ]


def audit(
    ai: Choose | str,
    game: Game | str = "tictactoe",
    *,
    interface: str | None = None,
    sample: int | str | None = None,
    positions: str | Path | None = None,
    plies: str | None = None,
    numbering: str | None = None,
    time: float = AUDIT_SECONDS,
    seed: int = 0,
    save: str | None = None,
    data: str | Path | None = None,
    **confined: "Unpack[AgentOptions]",
) -> Audit:
    """Judge an AI in every position of a game; a notebook shows the audit as a page.

    ``ai`` is a function, called in this process, from a board and its legal moves to the moves it
    may choose. Or it is a name as in ``marubatsu audit``: ``ai14s``, or ``file.py:function``, which
    runs confined, as the `AgentOptions` say: ``timeout=``, ``agent_memory=``, ``allow_network=``,
    ``allow_read=``, ``allow_env=``, ``confinement=``. Two of them are about functions too:
    ``answers=``, such as ``"row-column"``, is the form of the answers, and ``first="x"`` exchanges
    the marks that the AI sees. An agent of another framework is asked in its terms: ``interface``
    is ``connectx``, ``aec``, ``openspiel`` (also an object, a bot or a policy), ``textarena`` or
    ``gtp``, as ``--as`` of that command.

    A solved game without tables of AIs is judged by its solution, in 10,000 classes that ``seed``
    draws; ``sample`` is another number of them, or ``"all"``. A game without data that is too large
    to be built at once, such as ``connect4``, is searched, for ``time`` seconds a position at most:
    in 1,000 positions that ``seed`` draws, or ``sample``. ``positions`` says how, and then the
    oracle of any game judges them: ``"random"``, ``"own"`` (of the AI's games), or a file with a
    board or moves on each line, in a ``numbering`` as in `answer`; ``plies`` such as ``"12-20"``
    bounds their plies. Under the name ``save``, its answers are kept as rows of the tables of AIs.

    The audit has ``verdicts`` (`Verdicts`: in how many critical positions every candidate is a best
    move, and whether the AI solves the game), ``interview`` (`Interview`: what it was asked, and
    the ``findings``, its faults), and `Rows`: ``by_ply``, ``blunders``, ``refutations`` and
    ``matches``. Scores are circle's view, a ``loss`` and results of matches are the view of the
    mover and of the AI, and chances are percent. ``sampled`` says how positions were drawn.
    ``print`` of an audit prints what the command prints.

    Raises DataError when the data is missing (``marubatsu build`` and ``marubatsu solve`` make it),
    and when the AI fails too often to be judged. Raises InputError for a name of no game or AI.
    Raises UsageError for values and keywords that make no sense, for a file of other things, for an
    answer that can be read in two ways, and when options should confine a function of this process;
    and when this machine does not confine everything and ``confinement="strict"`` asks for that.

    >>> def choose(board, legal_moves):
    ...     return legal_moves[0]
    >>> found = audit(choose, positions="random", sample=50)
    >>> found.verdicts.positions_right, found.verdicts.positions, found.verdicts.weakly_solved
    (14, 32, False)
    >>> found.interview.findings, found.blunders.only("board", "move", "loss").rows[0]
    ([], ['.......o.', 0, 1])
    """
    require_keywords(audit, confined, AgentOptions)
    data_set = data_on_demand(game, data)
    (found,) = ais_at([ai], data_set, interface)
    limits = limits_for([found], confined)
    return run(
        data_set,
        found,
        limits,
        sample=sample,
        seed=seed,
        save_as=save,
        positions=None if positions is None else str(positions),
        plies=plies,
        numbering=numbering,
        seconds=time,
    )
