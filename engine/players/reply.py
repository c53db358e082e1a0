"""What somebody's function or program answers: moves, or a fault."""

from dataclasses import dataclass
from math import isfinite


@dataclass(frozen=True)
class Reply:
    """Moves as they were returned, legal or not, with weights if there were any."""

    moves: tuple[int, ...]
    weights: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Fault:
    """A fault of an AI, instead of an answer or besides it."""

    kind: str
    detail: str = ""

    def __str__(self) -> str:
        """Write the fault as a part of a sentence."""
        return f"{self.kind}: {self.detail}" if self.detail else self.kind


def wrong_weights(reply: Reply) -> Fault | None:
    """Return the fault of weights that are no chances, or None."""
    weights = reply.weights
    if weights is None or (
        all(isfinite(w) and w >= 0 for w in weights) and 0 < sum(weights) < float("inf")
    ):
        return None
    shown = ", ".join(f"{weight:g}" for weight in weights)
    return Fault("bad weights", f"expected weights of 0 or more, some of them more: {shown}")
