"""Ask an AI about positions, and join its answers; some failures end the interview."""

import time
from collections.abc import Callable
from itertools import repeat
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.ais.policy import Listed, policy_of, probabilities
from marubatsu.engine.ais.reply import Fault, Reply
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Ints
from marubatsu.engine.rules.position import Position, Status
from marubatsu.judge.agents.address import AddressedAI, BuiltInAI, FunctionAI, ProcessAI
from marubatsu.judge.agents.agent import Agent, Answered, BoardQuestion, illegal_move
from marubatsu.judge.agents.faults import COSTLY, INFRASTRUCTURE
from marubatsu.judge.agents.players import Players
from marubatsu.judge.audit.hints import AvoidedWins, ExchangedMarks
from marubatsu.judge.audit.interview import INCONSISTENT, Choices, Interview
from marubatsu.judge.oracle.answer import Answers
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.output import Rows

_MOST_CRASHES = 3  # crashes or exceeded limits that end an audit
_MOST_ALIKE = 10  # failures in a row of one cause that end an audit
_NOT_PLAY = {"time-out", INFRASTRUCTURE}
"""Faults that say nothing about an AI's play: the position counts as not asked."""

_NO_POSITIONS = np.zeros(0, np.int64)


class Failures:
    """The failures of an AI: too many of them raise DataError with the first."""

    def __init__(self, name: str) -> None:
        """Take the name of the AI for the error."""
        self._name = name
        self._costly: list[tuple[str, Fault]] = []
        self._alike: list[tuple[str, Fault]] = []  # in a row
        self._has_answered = False

    def end_row(self) -> None:
        """Count no failure before this valid answer as one in a row."""
        self._alike.clear()
        self._has_answered = True

    def add(self, fault: Fault, board: str) -> None:
        """Count a failure on a board. Raises DataError when there are too many to go on."""
        if fault.kind in COSTLY:
            self._costly.append((board, fault))
        if self._alike and not self._is_like(self._alike[0][1], fault):
            self._alike.clear()
        self._alike.append((board, fault))
        if len(self._costly) == _MOST_CRASHES:
            first, why = self._costly[0]
            raise DataError(
                f"{self._name} is not judged: after {_MOST_CRASHES} crashes, time-outs or other "
                f"limits it is asked no more; the first was on {first}: {why}"
            )
        if len(self._alike) == _MOST_ALIKE:
            first, why = self._alike[0]
            raise DataError(
                f"{self._name} is not judged: it failed in the same way {_MOST_ALIKE} times in a "
                f"row, the first time on {first}: {why}"
            )

    def fail(self) -> NoReturn:
        """Raise DataError with the first failure of those that ended the questions."""
        first, why = self._alike[0]
        raise DataError(f"{self._name} is not judged: no answer came, first on {first}: {why}")

    def _is_like(self, first: Fault, fault: Fault) -> bool:
        """Return whether two faults have one cause.

        The text of an exception may name the board. So before the first answer, exceptions of one
        type from one line are alike.
        """
        is_one_line = first.origin == fault.origin != ""
        return first.cause == fault.cause or (is_one_line and not self._has_answered)


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
        self._unjudged: set[Position] = set()  # in which no answer came
        sees_our_marks = ai.is_evaluation or not ai.interface
        is_compared = isinstance(ai, FunctionAI | ProcessAI) and sees_our_marks
        self._marks = ExchangedMarks(is_evaluation=ai.is_evaluation) if is_compared else None
        values_moves = ai.is_evaluation or players.answers == "scores"
        self._wins = AvoidedWins(misere=game.misere) if values_moves else None
        responder = None if self._agent is None else self._agent.responder
        rule = self.player.rule
        if not isinstance(ai, BuiltInAI):
            rule = f"A foreign AI: {ai.description}."
        self.interview = Interview(
            name=ai.name,
            family=self.player.family,
            rule=rule,
            repeats=repeats if responder else 1,
            not_confined=None if responder is None else responder.not_confined,
            could_read_answers=None if responder is None else responder.could_read_answers,
        )
        self.failures = Failures(self.interview.shown_name)

    def ask(
        self,
        positions: Listed,
        again: Ints = _NO_POSITIONS,
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
        self.interview.forfeited += int(choices.forfeits.sum())
        for hint in (self._marks, self._wins):
            if hint:
                hint.add(truth, choices)
        return choices

    def play(self, play: Callable[[AI], Rows]) -> Rows:
        """Let the AI play matches, and count the questions to a foreign one in them."""
        start, agent = time.perf_counter(), self._agent
        before = 0 if agent is None else agent.asked
        matches = play(self.player)
        self.interview.seconds += time.perf_counter() - start
        self.interview.asked += 0 if agent is None else agent.asked - before
        return matches

    def add_hints(self, seed: int) -> None:
        """Add to the findings what the AI may mean otherwise than it is asked.

        An AI that sees our marks is asked about some positions once more, which the seed draws.
        """
        interview = self.interview
        if self._agent and (hint := self._agent.hint):
            for finding in interview.findings:
                if finding.kind == "illegal move":
                    finding.detail += f"; {hint}"
        if self._marks and self._agent:
            times = interview.repeats + interview.is_single_answer  # as many answers were joined
            interview.findings += self._marks.findings(self._agent, interview.asked, times, seed)
        if self._wins:
            interview.findings += self._wins.findings()

    def _ask_ours(self, positions: Listed, progress: Callable[[float], None]) -> Choices:
        """Ask a built-in AI, in this process."""
        is_candidate = policy_of(self.player.on(self._game), positions, progress).is_candidate
        answered = positions.status == Status.PLAYING
        self.interview.asked += int(answered.sum())
        nowhere = np.zeros(len(positions), np.bool_)
        chances = probabilities(positions, is_candidate)
        return Choices(is_candidate, chances, answered, nowhere, nowhere)

    def _ask_agent(
        self, agent: Agent, positions: Listed, again: Ints, progress: Callable[[float], None]
    ) -> Choices:
        interview, moves, count = self.interview, len(positions.move), len(positions)
        nowhere = np.zeros(count, np.bool_)
        everywhere = (nowhere, nowhere.copy(), nowhere.copy())
        choices = Choices(np.zeros(moves, np.bool_), np.zeros(moves), *everywhere)
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
            if self._add(answered, place, at, choices):
                failed.append(place)
        return failed

    def _add(self, answered: Answered, place: int, at: slice, choices: Choices) -> bool:
        """Add the answer about a position with its moves; return whether a service failed."""
        interview, ((board, legal), answer, faults) = self.interview, answered
        for fault in faults:
            interview.note(fault, board)
        if isinstance(answer, Fault):
            interview.note(answer, board)
            self.failures.add(answer, board)
            if answer.kind not in _NOT_PLAY:
                _join(choices, at, np.full(len(legal), 1 / len(legal)))
                choices.forfeits[place] = True
            choices.unjudged[place] = not choices.is_candidate[at].any()
            return answer.kind == INFRASTRUCTURE
        self.failures.end_row()
        if illegal := illegal_move(answer, legal):
            interview.note(illegal, board)
            choices.forfeits[place] = True
        chances = _chances(answer, legal)
        is_valid = not {*legal}.isdisjoint(answer.moves)
        is_again = is_valid and choices.answered[place]
        if is_again and ((chances > 0) != choices.is_candidate[at]).any():
            interview.draws_moves = True
            why = (
                "other moves when asked again: it should return all of them (or set the option "
                "repeat)"
            )
            if interview.repeats == 1:
                interview.note(Fault(INCONSISTENT, why), board)
        _join(choices, at, chances)
        choices.answered[place] |= is_valid
        choices.unjudged[place] = False
        return False

    def _normalised(self, choices: Choices, positions: Listed) -> Choices:
        """Allow every legal move where there is no answer; scale chances to a sum of 1."""
        is_candidate, probability, answered, unjudged, forfeits = choices
        counts = np.diff(positions.first_move)
        moves = np.repeat((positions.status == Status.PLAYING) & ~answered, counts)
        is_candidate[moves] = True
        probability[moves] = 1.0
        starts = positions.first_move[:-1][counts > 0]
        sums = np.repeat(np.add.reduceat(probability, starts), counts[counts > 0])
        fair = probabilities(positions, is_candidate)
        chances = probability / sums
        is_even = np.allclose(chances, fair, rtol=0, atol=1e-12)
        return Choices(is_candidate, fair if is_even else chances, answered, unjudged, forfeits)


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
