"""Values of moves: chances, weights or scores, and which of them an AI's values can be."""

from math import inf, isfinite, nan
from typing import NamedTuple

from marubatsu.engine.ais.reply import TOLERANCE, Fault, Reply, are_chances


class Valued(NamedTuple):
    """Moves, each once, with a value for each; or a value for every cell of the board."""

    moves: tuple[int, ...]
    values: tuple[float, ...]
    is_vector: bool = False

    def of(self, legal: list[int]) -> "Valued":
        """Return the values that are about an AI's choice: of every cell, those of legal moves."""
        if not self.is_vector:
            return self
        pairs = [(move, self.values[move]) for move in legal]
        return Valued(tuple(move for move, _ in pairs), tuple(value for _, value in pairs))

    def __str__(self) -> str:
        """Write the values after their moves."""
        pairs = zip(self.moves, self.values, strict=True)
        return ", ".join(f"{move}: {value:g}" for move, value in pairs)


def by_weights(valued: Valued) -> Reply | Fault:
    """Read weights of 0 or more; a move with weight 0 is not played."""
    values = valued.values
    if not all(isfinite(value) and value >= 0 for value in values) or not 0 < sum(values) < 2e308:
        return _bad(valued, "expected weights of 0 or more, some of them more")
    kept = [(move, w) for move, w in zip(valued.moves, values, strict=True) if w]
    weights = tuple(float(weight) for _, weight in kept)
    is_even = max(weights) == min(weights)
    return Reply(tuple(move for move, _ in kept), None if is_even else weights)


def by_chances(valued: Valued) -> Reply | Fault:
    """Read chances, which add up to 1."""
    if not all(map(isfinite, valued.values)) or not are_chances(valued.values):
        return _bad(valued, f"expected chances of 0 or more that add up to 1, within {TOLERANCE:g}")
    return by_weights(valued)


def by_scores(valued: Valued, legal: list[int]) -> Reply | Fault:
    """Read scores, as good as the moves are for the mover: the best ones are the candidates.

    The logarithm of a chance of 0 is minus infinity.
    """
    about = valued.of(legal)
    best = max(about.values, default=nan)
    if not isfinite(best) or not all(map(_is_score, about.values)):
        return _bad(about, "expected finite scores of the legal moves, or minus infinity")
    pairs = zip(about.moves, about.values, strict=True)
    return Reply(tuple(move for move, score in pairs if score == best))


def read_values(valued: Valued, legal: list[int]) -> Reply | Fault | tuple[str, ...]:
    """Read values whose kind is not named; or return the kinds that they can be.

    They are chances if they add up to 1. Others are read where weights and scores mean the same.
    """
    about = valued.of(legal).values
    if not all(map(_is_score, about)) or not any(map(isfinite, about)):
        return _bad(valued, "expected finite numbers")
    if all(map(isfinite, valued.values)):
        if are_chances(valued.values):
            return by_weights(valued)
        weighed, scored = by_weights(valued), by_scores(valued, legal)
        if weighed == scored:
            return scored
        if isinstance(weighed, Reply):
            return "weights", "scores"
    return ("scores",)


def _is_score(value: float) -> bool:
    return value < inf  # NaN is not.


def _bad(valued: Valued, expected: str) -> Fault:
    return Fault("bad values", str(valued), expected)
