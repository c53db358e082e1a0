"""An audit from beginning to end: ask the AI, compare with the oracle, walk, match."""

import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Unpack, cast

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Side
from marubatsu.judge.agents import saved_ais
from marubatsu.judge.agents.address import ais_at
from marubatsu.judge.agents.addressed_ai import AddressedAI, OurAI, SavedAI, TableAI
from marubatsu.judge.agents.agent import SpentError
from marubatsu.judge.agents.agent_limits import AgentLimits, limits_for
from marubatsu.judge.agents.agent_options import AgentOptions, AuditOptions, QuestionOptions
from marubatsu.judge.agents.asking import Asking, asking_of
from marubatsu.judge.agents.players import Players
from marubatsu.judge.agents.saved_ais import SavedChoices
from marubatsu.judge.audit import match_results
from marubatsu.judge.audit.audit import Audit
from marubatsu.judge.audit.drawn_positions import FROM_PLAY, OWN, RANDOM, plan_of
from marubatsu.judge.audit.interview import NOBODY, Choices, Interview, Interviewer
from marubatsu.judge.audit.match_results import Games
from marubatsu.judge.audit.mistakes import Mistakes
from marubatsu.judge.audit.paired import Paired
from marubatsu.judge.audit.source import (
    Batch,
    Cap,
    DrawnPositions,
    Source,
    by_drawn_positions,
    by_solution,
    by_tables,
    goes_by_tables,
    has_tables_of_ais,
    samples_tables,
)
from marubatsu.judge.audit.table_positions import in_both, read_table, require_no_positions
from marubatsu.judge.audit.verdicts import MATCHES, OPPONENTS, REFUTATIONS, Sampled, Verdicts
from marubatsu.judge.audit.walk import MOST, Walked, asks_again, looks_up, walk
from marubatsu.judge.oracle.opening import goes_by_search
from marubatsu.pipeline.stages.on_demand import data_on_demand
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support.errors import DataError, OptionError, UsageError, whole
from marubatsu.pipeline.support.keywords import require_keywords
from marubatsu.pipeline.support.progress import Advance, progress
from marubatsu.pipeline.support.search_limits import AUDIT_SECONDS, checked_time
from marubatsu.pipeline.tables.output import Rows

DEFAULT_SAMPLE = 10_000
"""Classes that an audit by a solution asks about by default."""


def run(
    data_set: DataSet,
    ai: AddressedAI,
    limits: AgentLimits,
    repeats: int = 1,
    sample: int | str | None = None,
    seed: int = 0,
    save_as: str | None = None,
    *,
    questions: QuestionOptions | None = None,
    positions: str | None = None,
    plies: str | None = None,
    numbering: str | None = None,
    seconds: float = AUDIT_SECONDS,
    baseline: AddressedAI | None = None,
) -> Audit:
    """Judge an AI in every position by the tables, or in a sample of classes.

    The solution judges a solved game that has no tables of AIs, and draws the sample, a number of
    classes or ``all``, of every game that has one. The seed draws the sample. Under the name
    ``save_as``, the answers of a foreign AI are kept next to the tables.

    With ``positions`` (``random``, ``own`` or the name of a file) or ``plies`` (as in ``12-``), the
    oracle of the game judges positions that are drawn, and so does a search that has ``seconds``
    for each where the game has no data and is too large to be built at once. On the boards of a
    file begins the same mark as for the AI; the moves in it have a ``numbering``. ``questions`` are
    the options that spare some. A table of answers names the positions itself; only where it has
    all does the AI play.

    A ``baseline`` is asked about the same positions, to compare both.

    Raises DataError when the data is missing or damaged, before or after, or when the AI does not
    load; UsageError for numbers that make no sense, for a file that holds other things, and for an
    AI that cannot be saved.
    """
    if not 1 <= repeats <= 1000:
        raise OptionError("repeat", repeats, "expected 1 to 1000")
    seed = whole("seed", seed)
    checked_time(seconds, may_be_zero=False)
    tables = [each.name for each in (ai, baseline) if isinstance(each, TableAI)]
    if numbering is not None and positions in (None, *FROM_PLAY) and not tables:
        raise OptionError(
            "numbering", numbering,
            "expected moves that have it: name a file of them by the option positions",
        )  # fmt: skip
    require_no_positions(tables, positions=positions, plies=plies, sample=sample)
    ai, of_ai = read_table(ai, data_set.game, limits, numbering)
    of_baseline = None
    if baseline is not None:
        baseline, of_baseline = read_table(baseline, data_set.game, limits, numbering)
    only = in_both(of_ai, of_baseline)
    questions = questions or {}
    asking = asking_of(ai, questions)
    cap = _cap(asking.most_questions, repeats, positions)
    searched = goes_by_search(data_set)
    is_drawn = searched or positions is not None or plies is not None
    is_all = sample is None and not is_drawn
    by_all_tables = goes_by_tables(data_set) or samples_tables(data_set)
    if save_as is not None:
        is_savable = is_all and cap.most is None
        _require_savable(data_set, ai, save_as, is_all=is_savable)
    if only is not None and by_all_tables:
        opened = by_tables(data_set, cap, seed, only=only)
    elif only is not None:
        plan = plan_of(data_set.game, " and ".join(tables), None, None, seed, searched=searched)
        opened = by_drawn_positions(data_set, plan, cap, seconds, only)
    elif is_drawn:
        how = RANDOM if positions is None else positions
        plan = plan_of(
            data_set.game, how, plies, sample, seed,
            searched=searched, first=MARKS[limits.is_exchanged], numbering=numbering,
        )  # fmt: skip
        opened = by_drawn_positions(data_set, plan, cap, seconds)
    elif is_all and (save_as is not None or goes_by_tables(data_set)):
        opened = by_tables(data_set, cap, seed)
    else:
        size = _size(DEFAULT_SAMPLE if sample is None else sample)
        by_classes = by_tables if samples_tables(data_set) else by_solution
        opened = by_classes(data_set, cap, seed, size)
    with opened as source:
        audit, choices = _judge(
            source,
            data_set,
            ai,
            limits,
            repeats,
            seed,
            asking,
            baseline,
            plays=questions.get("matches", True),
        )
    if save_as is not None:
        _save(data_set, save_as, audit, choices)
    return audit


def _cap(most: int | None, repeats: int, positions: str | None) -> Cap:
    """Return the cap on the questions. Raises UsageError."""
    if most is not None and most < repeats:
        raise OptionError("most_questions", most, f"expected {repeats} or more, for one position")
    if most is not None and positions == OWN:
        raise OptionError(
            "most_questions", most,
            "positions of its own games need an unknown number of questions: name other ones by "
            "the option positions",
        )  # fmt: skip
    return Cap(most, repeats)


def _size(sample: int | str) -> int:
    """Return the size of a sample; ``all`` is more than a game has. Raises UsageError."""
    if sample == "all":
        return sys.maxsize
    digits = str(sample)[:19]
    if not (digits.isascii() and digits.isdecimal() and int(digits) > 0):
        raise OptionError("sample", sample, "expected a number of classes, or all")
    return int(digits)


def _require_savable(data_set: DataSet, ai: AddressedAI, name: str, *, is_all: bool) -> None:
    """Raise UsageError for an audit whose answers cannot be kept."""
    saved_ais.require_name(name)
    if isinstance(ai, OurAI | SavedAI):
        kind = "saved already" if isinstance(ai, SavedAI) else "one of ours"
        raise OptionError("save", name, f"expected a foreign AI; {ai.name} is {kind}")
    if not is_all or not has_tables_of_ais(data_set.game):
        raise OptionError(
            "save", name,
            "this keeps answers in every position of a game with tables of AIs; leave out the "
            "options sample, positions, plies and most_questions, or ask about a smaller game than "
            f"{data_set.game.name}",
        )  # fmt: skip


def _save(data_set: DataSet, name: str, audit: Audit, choices: Choices) -> None:
    """Keep the answers of an AI. Raises UsageError and DataError where some are missing."""
    interview = audit.interview
    if not interview.is_judged:
        raise UsageError(f"{interview.name} gave no valid answer, so there is nothing to save")
    if interview.unasked:
        raise DataError(
            f"{interview.name} gave no answer in {interview.unasked:,} positions, because of "
            "time-outs or outages, so nothing is saved: audit it again"
        )
    if not audit.verdicts.is_complete:
        raise DataError(
            f"{interview.name} answers in {interview.unfinished:,} of {audit.unfinished or 0:,} "
            "positions, so nothing is saved: expected all"
        )
    rule, why = f"A foreign AI, saved from {interview.name}.", interview.could_read_answers
    kept = SavedChoices(rule, why, choices.is_candidate, choices.probability)
    saved_ais.save(data_set, name, kept)


def _judge(
    source: Source,
    data_set: DataSet,
    ai: AddressedAI,
    limits: AgentLimits,
    repeats: int,
    seed: int,
    asking: Asking,
    baseline: AddressedAI | None,
    *,
    plays: bool,
) -> tuple[Audit, Choices]:
    """Judge an AI, with the results of games if it ``plays``; return its last choices, too."""
    game = data_set.game
    has_seed = not (source.is_complete or isinstance(ai, TableAI))
    plays = plays and (has_seed or source.is_complete)
    paired = Paired(game) if baseline else None
    with Players(data_set, limits, notes_box=False, asking=asking) as players:
        opened = players.open(ai)
        interviewer = Interviewer(opened, game, repeats)
        games = Games(source.oracle, interviewer)
        other = Interviewer(players.open(baseline), game, repeats) if baseline else None
        batch, choices, mistakes = _ask(interviewer, source, games, other, paired)
        matches, walks = Rows(MATCHES, []), _not_followed()
        if plays:
            matches = _play(source, opened.player, games, players, seed)
        if plays or source.is_complete:
            walks = _walk(source, interviewer, games, batch, choices)
        interviewer.compare_marks(seed)
        interviewer.explain_illegal_moves()
    data_hash = source.data_hash()
    interview = interviewer.interview
    if ai.is_evaluation:
        interview.findings += mistakes.avoided_wins.findings()
    if interview.unasked:  # How it plays there is unknown.
        walks, matches = dict.fromkeys(Side, Walked(never_loses=None)), Rows(MATCHES, [])
    elif source.is_complete and plays:
        with progress("matching"):
            matches = match_results.exact_matches(batch.truth, choices, source.ais)
    audit = Audit(
        game=game,
        interview=interview,
        unit=source.unit,
        unfinished=source.unfinished,
        seed=seed if has_seed else None,
        data=data_hash,
        verdicts=_verdicts(source, interview, mistakes, walks, matches),
        by_ply=mistakes.by_ply(),
        blunders=mistakes.blunders(),
        blunders_found=mistakes.blunders_found,
        refutations=Rows(REFUTATIONS, _refutations(walks)),
        matches=matches,
        is_followed=all(walked.is_followed for walked in walks.values()),
        sampled=_sampled(source.drawing, games, mistakes) if source.drawing else None,
        comparison=paired.comparison(other.interview.shown_name) if paired and other else None,
    )
    return (audit if interview.is_judged else audit.withheld()), choices


def _ask(
    interviewer: Interviewer,
    source: Source,
    games: Games,
    baseline: Interviewer | None,
    paired: Paired | None,
) -> tuple[Batch, Choices, Mistakes]:
    """Ask an AI about all batches, and count its mistakes; return the last batch, answered.

    The baseline is asked the same, to count in which positions one of them is right.
    """
    mistakes = Mistakes(source.oracle.game)
    interview, drawing = interviewer.interview, source.drawing
    with progress("asking") as advance:
        for batch in source.batches(games):
            size = int(batch.truth.unfinished.sum())
            total = (drawing.count if drawing else source.unfinished) or size
            before = interview.unfinished
            choices = interviewer.examine(
                batch.truth, batch.again, partial(_advance, advance, before, size, total)
            )
            mistakes.add(batch, choices)
            if baseline and paired:
                other = baseline.examine(batch.truth, NOBODY, lambda share: None)
                paired.add(batch, choices, other)
    if drawing is not None and not interview.unfinished:
        raise DataError(_why_nothing(drawing))
    return batch, choices, mistakes


def _advance(advance: Advance, before: int, size: int, total: int, share: float) -> None:
    """Show the share of all questions, from the share of one batch."""
    advance((before + share * size) / total)


def _play(source: Source, ai: AI, games: Games, players: Players, seed: int) -> Rows:
    """Return the results of games; none where they follow from choices in all positions."""
    if source.is_complete:
        return Rows(MATCHES, [])
    if source.drawing is not None:
        return games.matches(source.drawing.starts, seed)
    opponents = {name: players.player(name) for name in OPPONENTS}
    return match_results.played_matches(source.oracle.game, ai, opponents, seed)


def _walk(
    source: Source, interviewer: Interviewer, games: Games, batch: Batch, choices: Choices
) -> dict[Side, Walked]:
    """Return for each side whether the AI can lose; where positions are drawn, only its games."""
    if source.drawing is not None:
        return {side: games.walked(side) for side in Side}
    if source.is_complete:
        ask, most = looks_up(batch.truth, choices), None
    else:
        ask, most = asks_again(interviewer), MOST
    walks = _not_followed()
    with progress("walking"), suppress(SpentError):
        for side in Side:
            walks[side] = walk(source.oracle, side, ask, most)
    return walks


def _not_followed() -> dict[Side, Walked]:
    """Return what is known of an AI that was not followed from the empty board."""
    return dict.fromkeys(Side, Walked(never_loses=None, is_followed=False))


def _verdicts(
    source: Source,
    interview: Interview,
    mistakes: Mistakes,
    walks: dict[Side, Walked],
    matches: Rows,
) -> Verdicts:
    """Put the figures of an audit together."""
    most, at_least = (None, None) if source.drawing else match_results.exploitability(matches)
    return Verdicts(
        **mistakes.figures(),
        is_sample=source.unfinished is None or interview.unfinished < source.unfinished,
        is_complete=source.is_complete and not interview.unasked,
        as_circle=walks[Side.CIRCLE].never_loses,
        as_cross=walks[Side.CROSS].never_loses,
        exploitability=most,
        exploitability_at_least=at_least,
    )


def _why_nothing(drawing: DrawnPositions) -> str:
    """Say why there is no position to judge an AI in."""
    plan = drawing.plan
    if drawing.late:
        return (
            f"the search had too little time for every position drawn ({drawing.count:,}): give it "
            "more by the option time, or draw later ones by the option plies"
        )
    return f"no unfinished position of the plies {plan.first} to {plan.last} was found: try others"


def _sampled(drawing: DrawnPositions, games: Games, mistakes: Mistakes) -> Sampled:
    """Describe how the positions were drawn, and what the AI gave away in them."""
    plan = drawing.plan
    return Sampled(
        positions=plan.how,
        first_ply=plan.first,
        last_ply=plan.last,
        drawn=drawing.count,
        out_of_time=[late.line for late in drawing.late],
        by_ply=mistakes.answered.by_ply(drawing.late),
        answers=mistakes.answered.answers(),
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
    baseline: Choose | str | None = None,
    data: str | Path | None = None,
    **options: "Unpack[AuditOptions]",
) -> Audit:
    """Judge an AI in every position of a game; a notebook shows the audit as a page.

    ``ai`` is a function, called in this process, from a board and its legal moves to the moves it
    may choose. Or it is a name as in ``marubatsu audit``: ``ai14s``, ``answers:FILE`` (a table with
    a board and a reply in each row), or ``file.py:function``, which runs confined, as the
    `AuditOptions` say: ``timeout=``, ``agent_memory=``, ``allow_network=``, ``allow_read=``,
    ``allow_env=``, ``confinement=``. Two of them are about functions too:
    ``answers=``, such as ``"row-column"``, is the form of the answers, and ``first="x"`` exchanges
    the marks that the AI sees. An agent of another framework, which may be an object, is asked in
    its terms: ``interface`` is a name that ``--as`` of that command takes, such as ``"connectx"``.
    The other `AuditOptions` spare questions to an AI that costs money or time.

    ``sample`` is a number of classes that ``seed`` draws, or ``"all"``. A solved game without
    tables of AIs is judged by its solution, in 10,000 of them by default. A game without data that
    is too large to be built at once, such as ``connect4``, is searched, for ``time`` seconds a
    position at most: in 1,000 positions that ``seed`` draws, or ``sample``. ``positions`` says how,
    and then the oracle of any game judges them: ``"random"``, ``"own"`` (of the AI's games), or a
    file with a board or moves on each line, in a ``numbering`` as in `answer`; ``plies`` such as
    ``"12-20"`` bounds their plies. Under the name ``save``, its answers are kept as rows of the
    tables of AIs. The ``baseline`` is another AI, asked about the same positions.

    The audit has ``verdicts`` (`Verdicts`: in how many critical positions every candidate is a best
    move, and whether the AI solves the game), ``interview`` (`Interview`: what it was asked, and
    the ``findings``, its faults), and `Rows`: ``by_ply``, ``blunders``, ``refutations`` and
    ``matches``. Scores are circle's view, a ``loss`` and results of matches are the view of the
    mover and of the AI, and chances are percent. ``sampled`` says how positions were drawn, and
    ``comparison`` (`Comparison`) in which of them one of AI and baseline is right.
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
    require_keywords(audit, options, AuditOptions)
    data_set = data_on_demand(game, data)
    asked = [ai] if baseline is None else [ai, baseline]
    found, *others = ais_at(asked, data_set, interface)
    confined, questions = (
        {name: value for name, value in options.items() if name in group.__annotations__}
        for group in (AgentOptions, QuestionOptions)
    )
    return run(
        data_set,
        found,
        limits_for([found, *others], cast("AgentOptions", confined)),
        questions=cast("QuestionOptions", questions),
        sample=sample,
        seed=seed,
        save_as=save,
        positions=None if positions is None else str(positions),
        plies=plies,
        numbering=numbering,
        seconds=time,
        baseline=next(iter(others), None),
    )
