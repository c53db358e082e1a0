"""The answer of a user's function or program: moves, or a fault."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Literal, TypeAlias, get_args

FaultKind: TypeAlias = Literal[
    "time-out", "crash", "memory", "flood", "infrastructure", "raises", "refused", "illegal move",
    "no move", "wrong answer", "bad values", "inconsistent", "out of turn", "prints", "writes",
    "starts processes",
]  # fmt: skip
"""What is wrong: audits group faults by it."""

KINDS: Mapping[str, FaultKind] = {kind: kind for kind in get_args(FaultKind)}
"""The kinds by their names, for those that are read."""

TOLERANCE = 0.001
"""How far from 1 the sum of chances may be, as those of 32 bits and rounded ones are."""


def are_chances(values: Sequence[float]) -> bool:
    """Return whether values are 0 or more and add up to 1, within `TOLERANCE`."""
    is_each = all(0 <= value <= 1 + TOLERANCE for value in values)
    return is_each and abs(fsum(values) - 1) <= TOLERANCE


@dataclass(frozen=True)
class Returned:
    """An answer in plain values, not yet read as moves."""

    value: Any


@dataclass(frozen=True)
class Reply:
    """Moves, legal or not, each once; and their weights, where they are not all the same.

    Weights are finite and above 0. In the reply of an ordering they are scores of any sign.
    """

    moves: tuple[int, ...]
    weights: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Fault:
    """A fault of an AI, instead of an answer or besides it, and what its author can do."""

    kind: FaultKind
    detail: str = ""
    cure: str = ""
    origin: str = ""  # of an exception: its type, and the line of code

    @property
    def cause(self) -> tuple[str, str]:
        """The part that equal faults share: their kind, and their cure or detail."""
        return self.kind, self.cure or self.detail

    @property
    def sentence(self) -> str:
        """The detail and the cure."""
        return "; ".join(part for part in (self.detail, self.cure) if part)

    def __str__(self) -> str:
        return f"{self.kind}: {self.sentence}" if self.sentence else self.kind
