"""An audit from beginning to end; the answers of a foreign AI can be kept."""

from pathlib import Path
from typing import Unpack, cast

from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents import saved_ais
from marubatsu.judge.agents.address import ais_at
from marubatsu.judge.agents.addressed_ai import AddressedAI, OurAI, SavedAI, TableAI
from marubatsu.judge.agents.agent_limits import AgentLimits, limits_for
from marubatsu.judge.agents.agent_options import AgentOptions, AuditOptions, QuestionOptions
from marubatsu.judge.agents.asking import asking_of
from marubatsu.judge.agents.players import Players
from marubatsu.judge.agents.saved_ais import SavedChoices
from marubatsu.judge.audit.audit_report import Audit
from marubatsu.judge.audit.auditor import Auditor
from marubatsu.judge.audit.choose_source import USUAL, Wanted, asks_all, source_of, source_of_tables
from marubatsu.judge.audit.interview import Choices
from marubatsu.judge.audit.source import all_positions, has_tables_of_ais
from marubatsu.judge.audit.table_positions import in_both, read_table
from marubatsu.pipeline.stages.on_demand import built_data_set
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support.errors import DataError, OptionError, UsageError
from marubatsu.pipeline.support.keywords import require_keywords
from marubatsu.pipeline.support.search_limits import AUDIT_SECONDS


def run(
    data_set: DataSet,
    ai: AddressedAI,
    limits: AgentLimits,
    wanted: Wanted = USUAL,
    *,
    repeats: int = 1,
    save_as: str | None = None,
    questions: QuestionOptions | None = None,
    baseline: AddressedAI | None = None,
) -> Audit:
    """Judge an AI in the positions that are wanted: see `choose_source`.

    It is asked ``repeats`` times about each, and ``questions`` are the options that spare some. A
    table of answers names the positions itself; only where it has all does the AI play. Under the
    name ``save_as``, the answers of a foreign AI are kept next to the tables. A ``baseline`` is
    asked about the same positions, to compare both.

    Raises DataError when the data is missing or damaged, before or after, or when the AI does not
    load; UsageError for numbers that make no sense, for a file that holds other things, and for an
    AI that cannot be saved.
    """
    if not 1 <= repeats <= 1000:
        raise OptionError("repeat", repeats, "expected 1 to 1000")
    names = [each.name for each in (ai, baseline) if isinstance(each, TableAI)]
    wanted = wanted.checked(names)
    ai, named = read_table(ai, data_set.game, limits, wanted.numbering)
    if baseline is not None:
        baseline, of_baseline = read_table(baseline, data_set.game, limits, wanted.numbering)
        named = in_both(named, of_baseline)
    questions = questions or {}
    asking = asking_of(ai, questions)
    cap = wanted.cap(asking.most_questions, repeats)
    if save_as is not None:
        is_all = cap.most is None and asks_all(data_set, wanted)
        _require_savable(data_set, ai, save_as, is_all=is_all)
    if named is not None:
        opened = source_of_tables(data_set, wanted, cap, " and ".join(names), named)
    elif save_as is not None:
        opened = all_positions(data_set, cap, wanted.seed)
    else:
        opened = source_of(data_set, wanted, cap, first=MARKS[limits.is_exchanged])
    plays = questions.get("matches", True)
    with opened as source:
        with Players(data_set, limits, notes_box=False, asking=asking) as players:
            auditor = Auditor(
                source, players, ai, baseline, repeats=repeats, seed=wanted.seed, plays=plays
            )
            auditor.examine()
        audit = auditor.audit()
    if save_as is not None:
        _save(data_set, save_as, audit, auditor.choices)
    return audit


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
    data_set = built_data_set(game, data)
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
        Wanted(
            sample=sample,
            seed=seed,
            positions=None if positions is None else str(positions),
            plies=plies,
            numbering=numbering,
            seconds=time,
        ),
        save_as=save,
        questions=cast("QuestionOptions", questions),
        baseline=next(iter(others), None),
    )
