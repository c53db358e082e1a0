"""The interview of an AI: what it was asked, the moves that it may play, and its faults."""

from dataclasses import asdict, dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.reply import Fault
from marubatsu.engine.rules.masks import Bools
from marubatsu.pipeline.support.errors import harmless

INCONSISTENT: Final = "inconsistent"
"""The kind of a finding: it gave other moves when it was asked again."""


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
    forfeits: Bools  # [N] whether some answer was no legal move


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
    forfeited: int = 0  # those of them in which some answer was no legal move
    unjudged: int = 0  # others, in which no answer came: a time-out, an outage of a service
    asked: int = 0  # questions, those in games too; not those with other marks
    asked_about: int = 0  # of these, about positions that it was to be judged in
    asked_again: int = 0  # positions that were asked about once more, to compare
    seconds: float = 0.0
    not_confined: str | None = None  # what no box kept it from, as the end of a sentence
    could_read_answers: str | None = None  # why it could read those of the judge, as a clause
    draws_moves: bool = False  # whether it gave other moves when it was asked again
    findings: list[Finding] = field(default_factory=list)

    @property
    def is_single_answer(self) -> bool:
        """Whether its choices are known from one draw in most positions, of moves that change."""
        return self.draws_moves and self.repeats == 1

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
