"""Judge one AI: ask it about positions, let it play, follow it, and count."""

from contextlib import suppress
from functools import partial

from marubatsu.engine.rules.position import Side
from marubatsu.judge.agents.addressed_ai import AddressedAI, TableAI
from marubatsu.judge.agents.agent import SpentError
from marubatsu.judge.agents.players import Players
from marubatsu.judge.audit.audit_report import Audit
from marubatsu.judge.audit.comparison import Paired
from marubatsu.judge.audit.drawn_positions import Sampled
from marubatsu.judge.audit.games import (
    MOST_ASKED,
    Games,
    Walked,
    exact_matches,
    exploitability,
    looks_up,
    played_matches,
    walk,
)
from marubatsu.judge.audit.interview import NO_POSITIONS, Choices, Interviewer
from marubatsu.judge.audit.mistakes import Mistakes
from marubatsu.judge.audit.source import DrawnPositions, Source
from marubatsu.judge.audit.verdicts import MATCHES, OPPONENTS, REFUTATIONS, Verdicts
from marubatsu.judge.oracle.answers import Answers
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.progress import Advance, progress
from marubatsu.pipeline.tables.output import Rows


class Auditor:
    """Judges one AI: `examine` while it runs, then `audit` when it has ended.

    ``choices`` are those in the last batch of positions; a whole game is one batch.
    """

    choices: Choices
    _truth: Answers
    _matches: Rows
    _walks: dict[Side, Walked]

    def __init__(
        self,
        source: Source,
        players: Players,
        ai: AddressedAI,
        baseline: AddressedAI | None,
        *,
        repeat: int,
        seed: int,
        plays: bool,
    ) -> None:
        """Start the AI and its baseline, to be asked ``repeat`` times about each position.

        The AI ``plays`` where results of games are wanted.
        """
        self._source, self._players, game = source, players, source.oracle.game
        self._interviewer = Interviewer(players, ai, game, repeat)
        self._baseline = Interviewer(players, baseline, game, repeat) if baseline else None
        self._mistakes, self._paired = Mistakes(game), Paired(game)
        self._games = Games(source.oracle, self._interviewer)
        self._seed, self._draws = seed, not (source.is_complete or isinstance(ai, TableAI))
        self._plays = plays and (self._draws or source.is_complete)
        self._is_evaluation = ai.is_evaluation

    def examine(self) -> None:
        """Ask the AI all that is needed to judge it.

        Raises DataError where there is no position to ask about, and those of `Interviewer`.
        """
        self._ask()
        self._matches = self._played()
        self._walks = self._followed()
        self._interviewer.compare_marks(self._seed)
        self._interviewer.explain_illegal_moves()
        if self._is_evaluation:
            self._interviewer.interview.findings += self._mistakes.avoided_wins.findings()

    def _ask(self) -> None:
        """Ask about all batches, the baseline too, and count mistakes."""
        source, interview = self._source, self._interviewer.interview
        with progress("asking") as advance:
            for batch in source.batches(self._games):
                size = int(batch.truth.unfinished.sum())
                total = (source.drawing.count if source.drawing else source.unfinished) or size
                before = interview.examined
                self.choices = self._interviewer.examine(
                    batch.truth, batch.again, partial(_advance, advance, before, size, total)
                )
                self._truth = batch.truth
                self._mistakes.add(batch, self.choices)
                if self._baseline:
                    others = self._baseline.examine(batch.truth, NO_POSITIONS, lambda share: None)
                    self._paired.add(batch, self.choices, others)
        if source.drawing is not None and not interview.examined:
            raise DataError(_why_nothing(source.drawing))

    def _played(self) -> Rows:
        """Return the results of games; none where they follow from choices in all positions."""
        source = self._source
        if not self._plays or source.is_complete:
            return Rows(MATCHES, [])
        if source.drawing is not None:
            return self._games.matches(source.drawing.starts, self._seed)
        opponents = {name: self._players.player(name) for name in OPPONENTS}
        player = self._interviewer.player
        return played_matches(source.oracle.game, player, opponents, self._seed)

    def _followed(self) -> dict[Side, Walked]:
        """Return by side whether the AI can lose; where positions are drawn, in its games."""
        source = self._source
        walks = dict.fromkeys(Side, Walked(never_loses=None, is_followed=False))
        if not (self._plays or source.is_complete):
            return walks
        if source.drawing is not None:
            return {side: self._games.walked(side) for side in Side}
        if source.is_complete:
            assert source.oracle.positions  # The tables of the game have all.
            ask, most = looks_up(source.oracle.positions, self._truth, self.choices), None
        else:
            ask, most = (lambda truth: self._interviewer.ask(truth).is_candidate), MOST_ASKED
        with progress("walking"), suppress(SpentError):
            for side in Side:
                walks[side] = walk(source.oracle, side, ask, most)
        return walks

    def audit(self) -> Audit:
        """Put the audit together. Raises DataError when the AI has damaged the data."""
        source, mistakes, interview = self._source, self._mistakes, self._interviewer.interview
        data_hash = source.data_hash()
        walks, matches, other = self._walks, self._matches, self._baseline
        if interview.unasked:  # How it plays there is unknown.
            walks, matches = dict.fromkeys(Side, Walked(never_loses=None)), Rows(MATCHES, [])
        elif source.is_complete and self._plays:
            with progress("matching"):
                matches = exact_matches(self._truth, self.choices, source.ais)
        refutations = [
            [side.word, len(walked.line), list(walked.line), walked.board]
            for side, walked in walks.items()
            if walked.never_loses is False
        ]
        audit = Audit(
            game=source.oracle.game,
            interview=interview,
            unit=source.unit,
            unfinished=source.unfinished,
            seed=self._seed if self._draws else None,
            data=data_hash,
            verdicts=self._verdicts(walks, matches),
            by_ply=mistakes.by_ply(),
            blunders=mistakes.blunders(),
            blunders_found=mistakes.blunders_found,
            refutations=Rows(REFUTATIONS, refutations),
            matches=matches,
            is_followed=all(walked.is_followed for walked in walks.values()),
            sampled=None if source.drawing is None else self._sampled(source.drawing),
            comparison=self._paired.comparison(other.interview.shown_name) if other else None,
        )
        return audit if interview.is_judged else audit.withheld()

    def _verdicts(self, walks: dict[Side, Walked], matches: Rows) -> Verdicts:
        source, interview = self._source, self._interviewer.interview
        most, at_least = (None, None) if source.drawing else exploitability(matches)
        return Verdicts(
            **self._mistakes.figures(),
            is_sample=source.unfinished is None or interview.examined < source.unfinished,
            is_complete=source.is_complete and not interview.unasked,
            as_circle=walks[Side.CIRCLE].never_loses,
            as_cross=walks[Side.CROSS].never_loses,
            exploitability=most,
            exploitability_at_least=at_least,
        )

    def _sampled(self, drawing: DrawnPositions) -> Sampled:
        """Describe how the positions were drawn, and what the AI gave away in them."""
        plan, drawn = drawing.plan, self._mistakes.drawn
        return Sampled(
            positions=plan.how,
            first_ply=plan.first,
            last_ply=plan.last,
            drawn=drawing.count,
            out_of_time=[late.line for late in drawing.late],
            by_ply=drawn.by_ply(drawing.late),
            answers=drawn.answers(),
            starts=drawing.results,
            games_out_of_time=self._games.out_of_time,
        )


def _advance(advance: Advance, before: int, size: int, total: int, share: float) -> None:
    """Show the share of all questions, from the share of one batch."""
    advance((before + share * size) / total)


def _why_nothing(drawing: DrawnPositions) -> str:
    plan = drawing.plan
    if drawing.late:
        return (
            f"the search had too little time for every position drawn ({drawing.count:,}): give it "
            "more by the option time, or draw later ones by the option plies"
        )
    return f"no unfinished position of the plies {plan.first} to {plan.last} was found: try others"
