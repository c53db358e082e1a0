"""What an address names: one of our AIs, or a foreign one and where its answers come from."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.ais.by_function import Choose
from marubatsu.judge.agents.answerers import Answerer
from marubatsu.judge.agents.interfaces import EVALUATIONS


@dataclass(frozen=True)
class OurAI:
    """One of our AIs, with the name that the user gave."""

    name: str
    ours: AI
    is_evaluation = False


@dataclass(frozen=True)
class FunctionAI:
    """A function of the program that calls the audit; it runs in this process without limits."""

    name: str
    agent: Any
    interface: str | None = None  # None: ours
    kind = "a function of the program that asks"

    @property
    def is_evaluation(self) -> bool:
        """Whether the function values boards."""
        return self.interface in EVALUATIONS


@dataclass(frozen=True)
class SavedAI:
    """A foreign AI that an audit has saved, and the function that answers what it answered."""

    name: str
    rule: str
    choose: Choose
    could_read_answers: str | None  # why, when it gave them
    kind = "its answers, which an audit has saved"
    is_evaluation = False


@dataclass(frozen=True)
class ProcessAI:
    """A foreign AI, and the arguments that tell its process what to run."""

    name: str  # as the user gave it
    kind: str  # file, module, command
    arguments: tuple[str, ...]
    interface: str | None = None  # None: ours

    @property
    def is_evaluation(self) -> bool:
        """Whether a function values boards."""
        return self.interface in EVALUATIONS


@dataclass(frozen=True)
class TableAI:
    """The answers of an AI, in a file; nothing is run."""

    name: str  # as the user gave it
    path: Path
    numbering: str | None = None  # of its moves
    opened: Answerer | None = field(default=None, compare=False)  # the table, where it is read
    kind = "its answers, in a table"
    is_evaluation = False


ForeignAI: TypeAlias = FunctionAI | SavedAI | ProcessAI | TableAI
AddressedAI: TypeAlias = OurAI | ForeignAI
