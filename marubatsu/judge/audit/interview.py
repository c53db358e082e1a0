"""The interview of an AI: questions about positions, its answers, and their faults."""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import repeat
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.ais.policy import Listed, policy_of, probabilities
from marubatsu.engine.ais.reply import Fault, FaultKind, Reply
from marubatsu.engine.rules.board_text import exchange_marks, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Bools, Ints
from marubatsu.engine.rules.position import Position, Status
from marubatsu.judge.agents.address import AddressedAI, BuiltInAI, FunctionAI, ProcessAI
from marubatsu.judge.agents.agent import Agent, Answered, BoardQuestion, RefusedError, SpentError
from marubatsu.judge.agents.agent_process import TIME_OUT
from marubatsu.judge.agents.faults import INFRASTRUCTURE
from marubatsu.judge.agents.players import Players
from marubatsu.judge.oracle.answer import Answers
from marubatsu.pipeline.support.errors import DataError, harmless
from marubatsu.pipeline.tables.output import Rows

_MOST_CRASHES = 3  # crashes or exceeded limits that end an audit
_COSTLY: set[FaultKind] = {TIME_OUT, "crash", "memory", "flood"}
_MOST_ALIKE = 10  # failures in a row of one cause that end an audit
_NOT_PLAY = {TIME_OUT, INFRASTRUCTURE}
"""Faults that say nothing about an AI's play: the position counts as not asked."""

INCONSISTENT: Final = "inconsistent"
"""The kind of a finding: it gave other moves when it was asked again."""

_COMPARED = 200  # critical positions at most that are asked about with exchanged marks
_REMEMBERED = 10_000  # critical positions from which these are drawn
_SURE = 3  # standard errors by which answers with exchanged marks must be better

_OTHER_NUMBERS: Mapping[str, Callable[[int, list[int]], bool]] = {
    "the number of a cell from 1": lambda move, legal: move - 1 in legal,
    "a place in the list of legal moves, from 0": lambda move, legal: 0 <= move < len(legal),
    "a place in the list of legal moves, from 1": lambda move, legal: 0 < move <= len(legal),
}
"""What an AI may mean by the number of a move, and whether that is legal."""

NO_POSITIONS = np.zeros(0, np.int64)


@dataclass
class Finding:
    """A kind of fault: how often it happened, and the first example."""

    kind: str
    count: int
    board: str
    detail: str


class Choices(NamedTuple):
    """The moves that an AI may play in N positions with M moves.

    For an illegal move, or an answer that is none, it may play any of them.
    """

    is_candidate: Bools  # [M]
    probability: NDArray[np.float64]  # [M]
    answered: Bools  # [N] false without a valid answer; finished positions have none
    unjudged: Bools  # [N] whether no answer came, for reasons that are not the AI's play


@dataclass
class Interview:
    """An AI, what it was asked, and the faults of its answers."""

    name: str
    family: str
    rule: str
    repeats: int  # questions about each position
    wanted: int = 0  # positions that it was to be judged in
    examined: int = 0  # positions that it is judged in
    without_answer: int = 0  # those of them without a valid answer: it may play any move there
    unjudged: int = 0  # others, in which no answer came: a time-out, an outage of a service
    asked: int = 0  # questions, those in games too; not those with exchanged marks
    asked_about: int = 0  # of these, about positions that it was to be judged in
    asked_again: int = 0  # positions that were asked about once more, to compare
    seconds: float = 0.0
    not_confined: str | None = None  # what no box kept it from, as the end of a sentence
    could_read_answers: str | None = None  # why it could read those of the judge, as a clause
    findings: list[Finding] = field(default_factory=list)

    @property
    def is_judged(self) -> bool:
        """Whether there was any valid answer at all."""
        return self.without_answer < self.examined

    @property
    def shown_name(self) -> str:
        """The name on one line, without characters that control a terminal."""
        return harmless(self.name).replace("\n", "\\n")

    def to_json(self) -> dict[str, Any]:
        """Return the AI, the number of questions, and the faults of its answers."""
        kept = ("family", "asked", "repeats", "examined", "without_answer", "not_confined",
                "could_read_answers")  # fmt: skip
        findings = [asdict(finding) for finding in self.findings]
        return {"ai": self.name, **{n: getattr(self, n) for n in kept}, "findings": findings}

    def note(self, fault: Fault, board: str) -> None:
        """Add a fault to the findings."""
        for finding in self.findings:
            if finding.kind == fault.kind:
                finding.count += 1
                return
        self.findings.append(Finding(fault.kind, 1, board, fault.sentence))


class Interviewer:
    """Asks one AI about positions, and keeps the account of it.

    Some crashes or exceeded limits end the audit, and so do failures in a row of one cause: they
    raise DataError with the first of them. An answer that can be read in two ways raises
    UsageError.
    """

    def __init__(self, players: Players, ai: AddressedAI, game: Game, repeats: int = 1) -> None:
        """Start a foreign AI, ask it ``repeats`` times about each position, and join its answers.

        Our own AIs are asked only once. Raises DataError when it does not load.
        """
        self._game, self.player = game, players.player(ai)
        self._agent = None if isinstance(ai, BuiltInAI) else players.agent(ai)
        self._costly: list[tuple[str, Fault]] = []
        self._same: list[tuple[str, Fault]] = []
        self._unjudged: set[Position] = set()  # in which no answer came
        self._has_answered = False  # whether any answer was valid
        self._meanings = list(_OTHER_NUMBERS)  # those by which all of its answers are legal
        sees_our_marks = isinstance(ai, FunctionAI | ProcessAI) and ai.interface is None
        self._judged: list[tuple[Answers, Ints, Bools]] | None = [] if sees_our_marks else None
        responder = None if self._agent is None else self._agent.first
        self.interview = Interview(
            name=ai.name,
            family=self.player.family,
            rule=self.player.rule if isinstance(ai, BuiltInAI) else f"A foreign AI: {ai.kind}.",
            repeats=repeats if responder else 1,
            not_confined=None if responder is None else responder.not_confined,
            could_read_answers=None if responder is None else responder.could_read_answers,
        )

    def ask(
        self,
        positions: Listed,
        again: Ints = NO_POSITIONS,
        progress: Callable[[float], None] = lambda share: None,
    ) -> Choices:
        """Ask about every unfinished position, and about those in ``again`` once more.

        Raises DataError when an AI does not load, AIError when a built-in one cannot play the game,
        SpentError when it may be asked no more.
        """
        start = time.perf_counter()
        if self._agent is None:
            choices = self._ask_ours(positions, progress)
        else:
            choices = self._ask_agent(self._agent, positions, again, progress)
        self.interview.seconds += time.perf_counter() - start
        return choices

    def examine(self, truth: Answers, again: Ints, progress: Callable[[float], None]) -> Choices:
        """Ask about positions that the AI is judged in, and count them. Raises as `ask` does."""
        before = self.interview.asked
        choices = self.ask(truth, again, progress)
        self.interview.asked_about += self.interview.asked - before
        judged = int((truth.unfinished & ~choices.unjudged).sum())
        self.interview.wanted += int(truth.unfinished.sum())
        self.interview.examined += judged
        self.interview.without_answer += judged - int(choices.answered.sum())
        self._remember(truth, choices)
        return choices

    def play(self, play: Callable[[AI], Rows]) -> Rows:
        """Let the AI play matches, and count the questions to a foreign one in them."""
        start, agent = time.perf_counter(), self._agent
        before = 0 if agent is None else agent.asked
        matches = play(self.player)
        self.interview.seconds += time.perf_counter() - start
        self.interview.asked += 0 if agent is None else agent.asked - before
        return matches

    def _remember(self, truth: Answers, choices: Choices) -> None:
        """Remember in which critical positions the AI is right, for `compare_marks`."""
        if self._judged is None or sum(len(each[1]) for each in self._judged) >= _REMEMBERED:
            return
        is_right = truth.sums(choices.is_candidate & ~truth.is_best) == 0
        critical = np.flatnonzero(truth.critical & choices.answered)
        self._judged.append((truth, critical, is_right[critical]))

    def compare_marks(self, seed: int) -> None:
        """Add a finding where the AI is right far more often with the marks exchanged.

        An AI with mistakes is asked once more about some critical positions, at most a tenth of
        what it was asked before. A seed draws them. What fails then is no finding.
        """
        places = [
            (truth, place, is_right)
            for truth, critical, right in self._judged or ()
            for place, is_right in zip(critical.tolist(), right.tolist(), strict=True)
        ]
        if self._agent is None or all(is_right for *_, is_right in places):
            return
        most = min(_COMPARED, self.interview.asked // 10)
        drawn = np.sort(np.random.default_rng(seed).permutation(len(places))[:most])
        only: dict[bool, list[str]] = {True: [], False: []}  # boards, by whether it is right then
        before = 0
        for truth, place, was_right in (places[number] for number in drawn):
            moves, board = truth.moves_of(place), to_text(truth.game, truth[place])
            best = set(truth.best_moves(place))
            try:
                answer = self._agent.ask(exchange_marks(board), truth.move[moves].tolist())
            except (RefusedError, SpentError):
                return
            if isinstance(answer, Fault) and answer.kind in _COSTLY:
                return
            is_right = isinstance(answer, Reply) and best.issuperset(answer.moves)
            before += was_right
            if is_right != was_right:
                only[is_right].append(board)
        better, worse = len(only[True]), len(only[False])
        if better - worse > _SURE * (better + worse) ** 0.5:
            other = "o" if self._agent.is_exchanged else "x"
            detail = (
                f"right in {before} of {len(drawn)} critical positions as it is asked, in "
                f"{before + better - worse} when {other} begins: try the option first={other!r}"
            )
            finding = Finding("exchanged marks", better, only[True][0], detail)
            self.interview.findings.append(finding)

    def explain_illegal_moves(self) -> None:
        """Add to the finding of illegal moves how all answers, read otherwise, would be legal."""
        for finding in self.interview.findings:
            if finding.kind == "illegal move" and self._meanings:
                finding.detail += (
                    f"; every answer would be legal as {self._meanings[0]}: return the number of "
                    "the cell, from 0"
                )

    def _ask_ours(self, positions: Listed, progress: Callable[[float], None]) -> Choices:
        """Ask a built-in AI, in this process."""
        is_candidate = policy_of(self.player.on(self._game), positions, progress).is_candidate
        answered = positions.status == Status.PLAYING
        self.interview.asked += int(answered.sum())
        nowhere = np.zeros(len(positions), np.bool_)
        return Choices(is_candidate, probabilities(positions, is_candidate), answered, nowhere)

    def _ask_agent(
        self, agent: Agent, positions: Listed, again: Ints, progress: Callable[[float], None]
    ) -> Choices:
        interview, moves, count = self.interview, len(positions.move), len(positions)
        nowhere = np.zeros(count, np.bool_)
        choices = Choices(np.zeros(moves, np.bool_), np.zeros(moves), nowhere, nowhere.copy())
        unfinished = np.flatnonzero(positions.status == Status.PLAYING)
        order = np.concatenate([*[unfinished] * interview.repeats, again]).tolist()
        failed = self._ask_about(order, agent, positions, choices, progress)
        interview.asked_again += len(again)
        self._ask_about(failed, agent, positions, choices, lambda share: None)
        printed = agent.printed
        if printed and not any(finding.kind == "prints" for finding in interview.findings):
            first = printed.strip().partition("\n")[0]
            interview.note(Fault("prints", repr(first[:80])), "")
        self._unjudged.update(
            positions[place] for place in np.flatnonzero(choices.unjudged).tolist()
        )
        interview.unjudged = len(self._unjudged)
        return self._normalised(choices, positions)

    def _ask_about(
        self,
        order: list[int],
        agent: Agent,
        positions: Listed,
        choices: Choices,
        progress: Callable[[float], None],
    ) -> list[int]:
        """Ask about positions in an order, and add the answers; return where a service failed."""
        first, moves = positions.first_move.tolist(), positions.move.tolist()
        questions = (
            BoardQuestion(
                to_text(positions.game, positions[place]), moves[first[place] : first[place + 1]]
            )
            for place in order
        )
        failed = []
        for number, (place, answered) in enumerate(
            zip(order, agent.answers(questions), strict=True)
        ):
            if number % 64 == 0:
                progress(number / len(order))
            self.interview.asked += 1
            at = slice(first[place], first[place + 1])
            if self._add(answered, place, at, choices) == INFRASTRUCTURE:
                failed.append(place)
        return failed

    def _add(self, answered: Answered, position: int, at: slice, choices: Choices) -> str:
        """Add the answer about a position with its moves; return the kind of fault, or nothing."""
        interview, ((board, legal), answer, faults) = self.interview, answered
        for fault in faults:
            interview.note(fault, board)
        if isinstance(answer, Fault):
            interview.note(answer, board)
            self._record_failure(answer, board)
            choices.unjudged[position] = answer.kind in _NOT_PLAY and not choices.answered[position]
            if answer.kind not in _NOT_PLAY:
                _join(choices, at, np.full(len(legal), 1 / len(legal)))
            return answer.kind
        self._same.clear()
        self._has_answered = True
        self._meanings = [
            meaning
            for meaning in self._meanings
            if all(_OTHER_NUMBERS[meaning](move, legal) for move in answer.moves)
        ]
        illegal = [move for move in answer.moves if move not in legal]
        if illegal:
            listed = ", ".join(map(str, illegal[:9]))
            why = f"{listed}; legal: {', '.join(map(str, legal))}"
            interview.note(Fault("illegal move", why), board)
        chances = _chances(answer, legal)
        is_valid = len(illegal) < len(answer.moves)
        is_again = is_valid and choices.answered[position] and interview.repeats == 1
        if is_again and ((chances > 0) != choices.is_candidate[at]).any():
            why = (
                "other moves when asked again: it should return all of them (or set the option "
                "repeat)"
            )
            interview.note(Fault(INCONSISTENT, why), board)
        _join(choices, at, chances)
        choices.answered[position] |= is_valid
        choices.unjudged[position] = False
        return "" if is_valid else "illegal move"

    def _record_failure(self, fault: Fault, board: str) -> None:
        """Raise DataError when there are too many faults to go on; count this one."""
        if fault.kind in _COSTLY:
            self._costly.append((board, fault))
        if self._same and not self._is_like(self._same[0][1], fault):
            self._same.clear()
        self._same.append((board, fault))
        name = self.interview.shown_name
        if len(self._costly) == _MOST_CRASHES:
            first, why = self._costly[0]
            raise DataError(
                f"{name} is not judged: after {_MOST_CRASHES} crashes, time-outs or other limits "
                f"it is asked no more; the first was on {first}: {why}"
            )
        if len(self._same) == _MOST_ALIKE:
            first, why = self._same[0]
            raise DataError(
                f"{name} is not judged: it failed in the same way {_MOST_ALIKE} times in a row, "
                f"the first time on {first}: {why}"
            )

    def _is_like(self, first: Fault, fault: Fault) -> bool:
        """Return whether two faults have one cause.

        The text of an exception may name the board. So before the first answer, exceptions of one
        type from one line are alike.
        """
        if first.cause == fault.cause:
            return True
        types = {detail.partition(":")[0] for detail in (first.detail, fault.detail)}
        places = {detail.rpartition(" (")[2] for detail in (first.detail, fault.detail)}
        is_one_line = first.kind == fault.kind == "raises" and len(types) == len(places) == 1
        return is_one_line and not self._has_answered

    def _normalised(self, choices: Choices, positions: Listed) -> Choices:
        """Allow every legal move where there is no answer; scale chances to a sum of 1."""
        is_candidate, probability, answered, unjudged = choices
        counts = np.diff(positions.first_move)
        moves = np.repeat((positions.status == Status.PLAYING) & ~answered, counts)
        is_candidate[moves] = True
        probability[moves] = 1.0
        starts = positions.first_move[:-1][counts > 0]
        sums = np.repeat(np.add.reduceat(probability, starts), counts[counts > 0])
        fair = probabilities(positions, is_candidate)
        chances = probability / sums
        is_even = np.allclose(chances, fair, rtol=0, atol=1e-12)
        return Choices(is_candidate, fair if is_even else chances, answered, unjudged)


def _join(choices: Choices, at: slice, chances: NDArray[np.float64]) -> None:
    """Add the chances of an answer to those of others about the same position."""
    choices.is_candidate[at] |= chances > 0
    choices.probability[at] += chances


def _chances(answer: Reply, legal: list[int]) -> NDArray[np.float64]:
    """Return the chance of each legal move; an illegal one counts as any of them."""
    weights = np.zeros(len(legal))
    for move, weight in zip(answer.moves, answer.weights or repeat(1.0), strict=False):
        if move in legal:
            weights[legal.index(move)] += weight
        else:
            weights += weight / len(legal)
    chances: NDArray[np.float64] = weights / weights.sum()
    return chances
