"""An audit: choose the judge and the positions, examine the AI, and keep its answers if asked."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Side
from marubatsu.judge.agents import saved_ais
from marubatsu.judge.agents.address import AddressedAI, BuiltInAI, ReplyTableAI, SavedAI, ais_at
from marubatsu.judge.agents.agent import SpentError
from marubatsu.judge.agents.agent_options import (
    AgentOptions,
    AuditOptions,
    PositionOptions,
    QuestionOptions,
    of_group,
    require_keywords,
)
from marubatsu.judge.agents.agent_settings import settings_for
from marubatsu.judge.agents.players import Players
from marubatsu.judge.agents.saved_ais import SavedChoices
from marubatsu.judge.audit.audit_report import Audit
from marubatsu.judge.audit.draw_positions import PositionRequest, Sampled
from marubatsu.judge.audit.games import (
    AskAll,
    Games,
    Walked,
    exact_matches,
    exploitability,
    looks_up,
    played_matches,
    walk,
)
from marubatsu.judge.audit.interview import Choices
from marubatsu.judge.audit.interviewer import Interviewer
from marubatsu.judge.audit.mistakes import Mistakes, Paired
from marubatsu.judge.audit.source import DrawnPositions, Source, has_tables_of_ais, open_source
from marubatsu.judge.audit.verdicts import MATCH_COLUMNS, OPPONENTS, REFUTATION_COLUMNS, Verdicts
from marubatsu.judge.oracle.answer import Answers
from marubatsu.pipeline.stages.on_demand import built_if_quick, with_ais_if_quick
from marubatsu.pipeline.support.errors import DataError, OptionError, UsageError
from marubatsu.pipeline.support.progress import Advance, progress
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.output import Rows

_NO_MATCHES = Rows(MATCH_COLUMNS, [])
_UNKNOWN = Walked(never_loses=None)


class Auditor:
    """Judges one AI: `ask` and `play` while it runs, `audit` when it has ended."""

    def __init__(
        self,
        source: Source,
        players: Players,
        ai: AddressedAI,
        baseline: AddressedAI | None = None,
        *,
        repeat: int,
        seed: int,
        with_matches: bool,
    ) -> None:
        """Start the AI and its baseline, to be asked ``repeat`` times about each position.

        ``with_matches``, it also plays games, or has exact results against others.
        """
        self._source, self._players, game = source, players, source.oracle.game
        self.interviewer = Interviewer(players, ai, game, repeat)
        self._baseline = Interviewer(players, baseline, game, repeat) if baseline else None
        self._games = Games(source.oracle, self.interviewer)
        self._seed, self._with_matches = seed, with_matches
        self._is_table = isinstance(ai, ReplyTableAI)  # It has no answer elsewhere.
        self._mistakes, self._paired = Mistakes(game), Paired(game)
        self.everywhere: tuple[Answers, Choices] | None = None
        """The truth and the choices of the AI, where it has all."""
        self._walks, self._matches = dict.fromkeys(Side, _UNKNOWN), _NO_MATCHES

    def ask(self) -> None:
        """Ask about all batches, the baseline too, and count mistakes.

        Raises DataError where there is no position to ask about, where an answer came in none of
        them, and those of `Interviewer`.
        """
        source, interview = self._source, self.interviewer.interview
        with progress("asking") as advance:
            for batch in source.batches(self._games):
                size = int(batch.truth.unfinished.sum())
                total = (source.drawn.count if source.drawn else source.unfinished) or size
                choices = self.interviewer.examine(
                    batch.truth,
                    batch.again,
                    partial(_advance, advance, interview.wanted, size, total),
                )
                if source.scope == "all":
                    self.everywhere = batch.truth, choices
                self._mistakes.add(batch, choices)
                if self._baseline:
                    others = self._baseline.examine(batch.truth, batch.again, lambda share: None)
                    self._paired.add(batch, choices, others)
        if source.drawn is not None and not interview.wanted:
            raise DataError(_why_nothing(source.drawn))
        if interview.wanted and not interview.examined:
            self.interviewer.failures.fail()

    def play(self) -> None:
        """Find out whether the AI can lose on each side, and its results against others.

        Both follow from its choices everywhere; without them, or where they are draws of moves that
        change, it plays games. Where some answer did not come, nothing is known.
        """
        if not self._knows_play():
            return
        walks, matches = self._play()
        if not self._knows_play():  # Answers may be missing in games, too.
            return
        if self.interviewer.interview.draws_moves:  # It may give others next time.
            walks = {side: _UNKNOWN if each.never_loses else each for side, each in walks.items()}
        self._walks, self._matches = walks, matches

    def _play(self) -> tuple[dict[Side, Walked], Rows]:
        source = self._source
        if self.everywhere:
            assert source.oracle.positions  # The tables of the game have all.
            walks = self._walked(looks_up(source.oracle.positions, *self.everywhere), is_free=True)
            return walks, self._matches_by_choices(*self.everywhere)
        if self._is_table or not self._with_matches:
            return dict.fromkeys(Side, _UNKNOWN), _NO_MATCHES
        if source.drawn:
            matches = self._games.matches(source.drawn.starts, self._seed)
            return {side: self._games.walked(side) for side in Side}, matches
        matches = self._played_matches()
        return self._walked(self.interviewer.ask, is_free=False), matches

    def _matches_by_choices(self, truth: Answers, choices: Choices) -> Rows:
        if not self._with_matches:
            return _NO_MATCHES
        if not self.interviewer.interview.is_single_answer:
            with progress("matching"):
                return exact_matches(truth, choices, self._source.ais)
        return _NO_MATCHES if self._is_table else self._played_matches()

    def _played_matches(self) -> Rows:
        game, opponents = self._source.oracle.game, map(self._players.player, OPPONENTS)
        by_name = dict(zip(OPPONENTS, opponents, strict=True))
        return self.interviewer.play(lambda ai: played_matches(game, ai, by_name, self._seed))

    def _knows_play(self) -> bool:
        """Return whether it is known how the AI plays: every answer came, and some are valid."""
        interview = self.interviewer.interview
        return interview.is_judged and not interview.unjudged

    def _walked(self, ask: AskAll, *, is_free: bool) -> dict[Side, Walked]:
        walks = dict.fromkeys(Side, _UNKNOWN)
        with progress("walking"), suppress(SpentError):
            for side in Side:
                walks[side] = walk(self._source.oracle, side, ask, is_free=is_free)
        return walks

    def audit(self) -> Audit:
        """Put the audit together. Raises DataError when the AI has damaged the data."""
        source, interview, mistakes = self._source, self.interviewer.interview, self._mistakes
        data_hash, game, comparison = source.data_hash(), source.oracle.game, None
        is_random = not self._is_table and (source.scope != "all" or interview.is_single_answer)
        figures = mistakes.figures(is_judged=interview.is_judged)
        if not interview.is_judged:
            mistakes = Mistakes(game)
        elif self._baseline:
            comparison = self._paired.comparison(interview, self._baseline.interview)
        refutations = [
            [side.word, len(walked.line), list(walked.line), walked.board]
            for side, walked in self._walks.items()
            if walked.line
        ]
        return Audit(
            game=game,
            interview=interview,
            scope=source.scope,
            unfinished=source.unfinished,
            seed=self._seed if is_random else None,
            data=data_hash,
            verdicts=self._verdicts(figures),
            by_ply=mistakes.by_ply(),
            blunders=mistakes.blunders(),
            blunders_found=mistakes.blunders_found,
            refutations=Rows(REFUTATION_COLUMNS, refutations),
            matches=self._matches,
            sampled=None if source.drawn is None else self._sampled(source.drawn, mistakes),
            comparison=comparison,
        )

    def _verdicts(self, figures: dict[str, Any]) -> Verdicts:
        source, interview = self._source, self.interviewer.interview
        most, at_least = (None, None) if source.drawn else exploitability(self._matches)
        late = len(source.drawn.late) if source.drawn else 0
        figures = {**figures, "positions_unjudged": figures["positions_unjudged"] + late}
        return Verdicts(
            **figures,
            is_sample=source.unfinished is None or interview.wanted < source.unfinished,
            is_complete=source.scope == "all" and not (interview.unjudged or interview.draws_moves),
            draws_moves=interview.draws_moves,
            forfeited=interview.forfeited,
            as_circle=self._walks[Side.CIRCLE].never_loses,
            as_cross=self._walks[Side.CROSS].never_loses,
            exploitability=most,
            exploitability_at_least=at_least,
        )

    def _sampled(self, drawn: DrawnPositions, mistakes: Mistakes) -> Sampled:
        """Describe how the positions were drawn, and what the AI gave away in them."""
        plan = drawn.plan
        return Sampled(
            positions=plan.how,
            first_ply=plan.first_ply,
            last_ply=plan.last_ply,
            drawn=drawn.count,
            out_of_time=[late.line for late in drawn.late],
            by_ply=mistakes.accuracy_by_ply(
                drawn.late, draws_moves=self.interviewer.interview.draws_moves
            ),
            answers=mistakes.answers(),
            starts=drawn.results,
            games_out_of_time=self._games.out_of_time,
        )


def _advance(advance: Advance, before: int, size: int, total: int, share: float) -> None:
    """Show the share of all questions, from the share of one batch."""
    advance((before + share * size) / total)


def _why_nothing(drawn: DrawnPositions) -> str:
    plan = drawn.plan
    if drawn.late:
        return (
            f"the search had too little time for every position drawn ({drawn.count:,}): give it "
            "more by the option time, or draw later ones by the option plies"
        )
    return (
        f"no unfinished position of the plies {plan.first_ply} to {plan.last_ply} was found: try "
        "others"
    )


def run(
    data_set: DataSet, ais: Sequence[AddressedAI], options: AuditOptions, *, save: str | None = None
) -> Audit:
    """Judge an AI in the positions that are wanted: see `judge.audit.source`.

    A table of answers names the positions itself; only where it has all does the AI play. A second
    AI, the baseline, is asked about the same positions, to compare both. Under the name ``save``,
    the answers of a foreign AI are kept next to the tables.

    Raises DataError when the data is missing or damaged, before or after, or when the AI does not
    load; UsageError for options that make no sense, for a file that holds other things, and for an
    AI that cannot be saved.
    """
    tables = [each.name for each in ais if isinstance(each, ReplyTableAI)]
    request = PositionRequest(**of_group(options, PositionOptions))
    settings = settings_for(
        ais, of_group(options, AgentOptions), of_group(options, QuestionOptions),
        other_boards=request.is_of_file, numbering=request.numbering,
    )  # fmt: skip
    request = replace(request, most_questions=settings.most_questions).checked(tables)
    ai, is_saved = ais[0], save is not None
    if save is not None:
        _require_savable(data_set, ai, save, is_all=request.is_all)
    with Players(data_set, settings, notes_box=False) as players:
        source = open_source(
            data_set, request, first=settings.first,
            tables=" and ".join(tables), listed=_listed(players, ais), is_saved=is_saved,
        )  # fmt: skip
        auditor = Auditor(
            source, players, *ais,
            repeat=request.repeat, seed=request.seed, with_matches=options.get("matches", True),
        )  # fmt: skip
        auditor.ask()
        auditor.play()
        auditor.interviewer.add_hints(request.seed)
    audit = auditor.audit()
    if save is not None:
        _save(data_set, save, ai, audit, auditor.everywhere)
    return audit


def _listed(players: Players, ais: Iterable[AddressedAI]) -> Collection[Position] | None:
    """Return the positions that all tables of answers among AIs have; None without a table.

    Raises UsageError where two tables have none in common, and for a file of other things.
    """
    listed: Collection[Position] | None = None
    for ai in ais:
        if isinstance(ai, ReplyTableAI):
            there = players.agent(ai).responder.positions or ()
            listed = there if listed is None else [each for each in listed if each in there]
    if listed is not None and not listed:
        raise UsageError("the two tables have no board in common, so nothing can be compared")
    return listed


def _require_savable(data_set: DataSet, ai: AddressedAI, name: str, *, is_all: bool) -> None:
    """Raise UsageError for an audit whose answers cannot be kept."""
    saved_ais.require_name(name)
    game = data_set.game
    if isinstance(ai, BuiltInAI | SavedAI):
        kind = "saved already" if isinstance(ai, SavedAI) else "a built-in AI"
        raise OptionError("save", name, f"expected a foreign AI; {ai.name} is {kind}")
    if not has_tables_of_ais(game):
        raise OptionError(
            "save", name,
            f"{game.name} is too large for tables of AIs, in which answers are kept: expected a "
            "smaller game, such as tictactoe",
        )  # fmt: skip
    if not is_all:
        raise OptionError(
            "save", name,
            "answers are kept in every position: leave out the option sample, the option "
            "positions, the option plies and the option most_questions",
        )  # fmt: skip
    saved_ais.require_free(data_set, name, ai.address)


def _save(
    data_set: DataSet,
    name: str,
    ai: AddressedAI,
    audit: Audit,
    everywhere: tuple[Answers, Choices] | None,
) -> None:
    """Keep the answers of an AI. Raises UsageError and DataError where some are missing."""
    interview = audit.interview
    if not interview.is_judged:
        raise UsageError(f"{interview.name} gave no valid answer, so there is nothing to save")
    if interview.unjudged:
        raise DataError(
            f"{interview.name} gave no answer in {interview.unjudged:,} positions, because of "
            "time-outs or outages, so nothing is saved: audit it again"
        )
    if interview.is_single_answer:
        raise UsageError(
            f"{interview.name} gives other moves when it is asked again, so nothing is saved: let "
            "it return all moves that it may play, or join some answers by the option repeat"
        )
    if everywhere is None:
        raise DataError(
            f"{interview.name} answers in {interview.examined:,} of {audit.unfinished or 0:,} "
            "positions, so nothing is saved: expected all"
        )
    rule, why = saved_ais.rule_of(ai.address), interview.could_read_answers
    _, choices = everywhere
    kept = SavedChoices(rule, why, choices.is_candidate, choices.probability)
    saved_ais.save(data_set, name, kept)


def audit(
    ai: Choose | str,
    game: Game | str = "tictactoe",
    *,
    interface: str | None = None,
    baseline: Choose | str | None = None,
    save: str | None = None,
    data: str | Path | None = None,
    **options: "Unpack[AuditOptions]",
) -> Audit:
    """Judge an AI in the positions of a game; a notebook shows the audit as a page.

    ``ai`` is a function, called in this process, from a board and its legal moves to the moves it
    may choose. Or it is a name as in ``marubatsu audit``: ``ai14s``, ``answers:FILE`` (a table with
    a board and a reply in each row), or ``file.py:function``, which runs confined, as the options
    say. For an agent of another framework, which may be an object, ``interface`` names the
    framework as ``--as`` of that command does, such as ``"connectx"``. The ``baseline`` is
    another AI, asked about the same positions. Under the name ``save``, the answers of a foreign AI
    are kept as rows of the tables of AIs.

    `AuditOptions` describes the options, which are those of the command. By default, a solution
    judges the AI in 10,000 classes of a solved game without tables of AIs. In a game without data
    that is too large to be built at once, such as ``connect4``, a search judges it in 1,000 random
    positions. The options ``positions`` and ``plies`` choose positions of any game. A function
    is not confined. Of the options about foreign AIs it takes only ``answers``, such as
    ``"row-column"``, ``first="x"``, which exchanges the marks that it sees, and those that save
    questions.

    The audit has ``verdicts`` (`Verdicts`: in how many critical positions every candidate is a best
    move, and whether the AI solves the game), ``interview`` (`Interview`: what it was asked, and
    the ``findings``, its faults), and `Rows`: ``by_ply``, ``blunders``, ``refutations`` and
    ``matches``. Scores are circle's view, a ``loss`` and results of matches are the view of the
    mover and of the AI, and chances are percent. ``sampled`` says how positions were drawn, and
    ``comparison`` (`Comparison`) in which of them only the AI or only the baseline is right.
    ``print(audit)`` prints the output of the command.

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
    needs_no_ais = any(options.get(name) is not None for name in ("positions", "plies"))
    data_set = (built_if_quick if needs_no_ais else with_ais_if_quick)(game, data)
    ais = ais_at([ai] if baseline is None else [ai, baseline], data_set, interface)
    return run(data_set, ais, options, save=save)
