"""The interview of an AI: questions about every position, its answers, and their faults."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.players.policy import Listed, policy_of, probabilities
from marubatsu.engine.players.reply import Fault, Reply, wrong_weights
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.masks import Bools, Ints
from marubatsu.engine.rules.position import Status
from marubatsu.pipeline.agents.address import Ours, Subject
from marubatsu.pipeline.agents.agent import Agent, agent_of
from marubatsu.pipeline.agents.agent_process import AgentLimits

_PATIENCE = 3  # crashes or exceeded limits that end an interview
_COSTLY = {"time-out", "crash", "memory", "flood"}


@dataclass
class Finding:
    """A kind of fault: how often it happened, and the first example."""

    kind: str
    count: int
    board: str
    detail: str


@dataclass
class Interview:
    """The moves that an AI would play in every position: M moves, N positions.

    In a position without a valid answer, the AI counts as one that may choose any legal move;
    ``answered`` is false there.
    """

    name: str
    family: str
    rule: str
    unfinished: int  # positions it was asked about
    is_candidate: Bools  # [M]
    probability: NDArray[np.float64]  # [M]
    answered: Bools  # [N]
    repeats: int = 1  # questions about each position
    asked_again: int = 0  # positions that were asked about once more, to compare
    uniform: bool = True  # whether all candidates of a position have the same chance
    asked: int = 0  # questions
    seconds: float = 0.0
    findings: list[Finding] = field(default_factory=list)

    @property
    def silent(self) -> int:
        """Number of positions without a valid answer, where the AI counts as playing any move."""
        return self.unfinished - int(self.answered.sum())

    @property
    def is_judged(self) -> bool:
        """Whether there was any valid answer at all."""
        return self.silent < self.unfinished

    def add(self, other: "Interview") -> None:
        """Count the questions and the findings of another interview, about other positions."""
        self.asked += other.asked
        self.seconds += other.seconds
        for finding in other.findings:
            self.note(Fault(finding.kind, finding.detail), finding.board, finding.count)

    def to_json(self) -> dict[str, Any]:
        """Return the AI, the number of questions, and the faults of its answers."""
        return {
            "ai": self.name,
            "family": self.family,
            "asked": self.asked,
            "repeats": self.repeats,
            "examined": self.unfinished,
            "without_answer": self.silent,
            "findings": [asdict(finding) for finding in self.findings],
        }

    def note(self, fault: Fault, board: str, count: int = 1) -> None:
        """Add a fault to the findings, as often as it happened."""
        for known in self.findings:
            if known.kind == fault.kind:
                known.count += count
                return
        self.findings.append(Finding(fault.kind, count, board, fault.detail))


def interview(
    whom: Subject,
    positions: Listed,
    again: Ints,
    limits: AgentLimits,
    repeats: int,
    progress: Callable[[float], None],
) -> Interview:
    """Ask an AI about every unfinished position, and about those in ``again`` once more.

    With ``repeats`` above 1, ask that many times about each position instead, and join the answers.
    Our own AIs are asked only once. Raises DataError when an AI does not load, UsageError when it
    does not exist.
    """
    if isinstance(whom, Ours):
        return _of_our_ai(whom.name, whom.ai, positions)
    agent = agent_of(whom, positions.game, limits)
    rule = f"A foreign AI: {whom.kind}."
    return _of_foreign_ai(whom.name, rule, agent, positions, again, repeats, progress)


def _of_our_ai(name: str, ai: AI, positions: Listed) -> Interview:
    """Ask one of our own AIs, in this process."""
    start = time.perf_counter()
    chosen = policy_of(ai.on(positions.game), positions).is_candidate
    unfinished = positions.status == Status.PLAYING
    return Interview(
        name=name,
        family=ai.family,
        rule=ai.rule,
        unfinished=int(unfinished.sum()),
        is_candidate=chosen,
        probability=probabilities(positions, chosen),
        answered=unfinished,
        asked=int(unfinished.sum()),
        seconds=time.perf_counter() - start,
    )


def _of_foreign_ai(
    name: str,
    rule: str,
    agent: Agent,
    positions: Listed,
    again: Ints,
    repeats: int,
    progress: Callable[[float], None],
) -> Interview:
    unfinished = np.flatnonzero(positions.status == Status.PLAYING)
    answers = Interview(
        name=name,
        family="foreign",
        rule=rule,
        unfinished=len(unfinished),
        is_candidate=np.zeros(len(positions.move), dtype=np.bool_),
        probability=np.zeros(len(positions.move)),
        answered=np.zeros(len(positions), dtype=np.bool_),
        repeats=repeats,
    )
    # With one question each, some are repeated and compared; with more, the answers are joined.
    order = np.concatenate([*[unfinished] * repeats, again if repeats == 1 else again[:0]]).tolist()
    patience = _PATIENCE
    start = time.perf_counter()
    with agent:
        for number, position in enumerate(order):
            if number % 64 == 0:
                progress(number / len(order))
            fault = _ask(agent, positions, position, answers)
            answers.asked += 1
            answers.asked_again += number >= repeats * len(unfinished)
            patience -= fault in _COSTLY
            if patience == 0:
                told = f"after {_PATIENCE} crashes, floods, time-outs or failed allocations"
                answers.note(Fault("given up", told), "")
                break
        if agent.printed:
            first = agent.printed.strip().partition("\n")[0]
            answers.note(Fault("prints", repr(first[:80])), "")
    answers.seconds = time.perf_counter() - start
    _normalise(answers, positions)
    return answers


def _ask(agent: Agent, positions: Listed, position: int, answers: Interview) -> str:
    """Ask about one position and add the answer; return the kind of fault, or nothing."""
    board = to_text(positions.game, positions[position])
    at = slice(int(positions.first_move[position]), int(positions.first_move[position + 1]))
    legal: list[int] = positions.move[at].tolist()
    answer, beside = agent.ask(board, legal)
    for fault in beside:
        answers.note(fault, board)
    answer = answer if isinstance(answer, Fault) else wrong_weights(answer) or answer
    if isinstance(answer, Fault):
        answers.note(answer, board)
        return answer.kind
    illegal = [move for move in answer.moves if move not in legal]
    if illegal:
        shown = ", ".join(map(str, illegal[:9]))
        answers.note(Fault("illegal move", f"{shown}; legal: {', '.join(map(str, legal))}"), board)
    if len(illegal) == len(answer.moves):
        return "illegal move"
    share = _shares(answer, legal)
    if share.sum() == 0:
        return "illegal move"
    before = answers.is_candidate[at].copy()
    changed = answers.answered[position] and (before != (share > 0)).any()
    if changed and answers.repeats == 1:
        told = "other moves when asked again: it should return all of them (or use --repeat)"
        answers.note(Fault("inconsistent", told), board)
    answers.is_candidate[at] |= share > 0
    answers.probability[at] += share
    answers.answered[position] = True
    return ""


def _shares(answer: Reply, legal: list[int]) -> NDArray[np.float64]:
    """Return the chance of each legal move."""
    weights = answer.weights or (1.0,) * len(answer.moves)
    share = np.zeros(len(legal))
    for move, weight in zip(answer.moves, weights, strict=True):
        if move in legal:
            place = legal.index(move)
            share[place] = share[place] + weight if answer.weights else 1.0
    total = share.sum()
    return share / total if total else share


def _normalise(answers: Interview, positions: Listed) -> None:
    """Allow every legal move where there is no answer; scale chances to a sum of 1."""
    silent = (positions.status == Status.PLAYING) & ~answers.answered
    moves = np.repeat(silent, np.diff(positions.first_move))
    answers.is_candidate[moves] = True
    answers.probability[moves] = 1.0
    counts = np.diff(positions.first_move)
    starts = positions.first_move[:-1][counts > 0]
    sums = np.repeat(np.add.reduceat(answers.probability, starts), counts[counts > 0])
    answers.probability = answers.probability / sums
    fair = probabilities(positions, answers.is_candidate)
    answers.uniform = bool(np.allclose(answers.probability, fair, atol=1e-12))
    if answers.uniform:
        answers.probability = fair
