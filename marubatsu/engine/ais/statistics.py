"""Statistics of games: confidence intervals, a test for shares, and the strength of players."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum, lgamma, log, sqrt

import numpy as np
from numpy.typing import NDArray

_Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations


def percents(right: float, total: int) -> list[float | None]:
    """Return a share in percent, and its 95 % confidence interval; nothing of an empty sample."""
    if not total:
        return [None] * 3
    return [round(100 * share, 2) for share in (right / total, *wilson(right, total))]


def wilson(right: float, total: int) -> tuple[float, float]:
    """Return a 95 % confidence interval for a share, from a sample.

    Wilson's score interval (E. B. Wilson, 1927), which also works when none or all are right.
    """
    if not total:
        return 0.0, 1.0
    middle = (right + _Z**2 / 2) / (total + _Z**2)
    spread = _Z / (total + _Z**2) * sqrt(right * (total - right) / total + _Z**2 / 4)
    return max(0.0, middle - spread), min(1.0, middle + spread)


def paired_difference(
    both: int, first_only: int, second_only: int, neither: int
) -> tuple[float, float, float]:
    """Return by how much the first share exceeds the second one, with a 95 % interval.

    The counts are of pairs: both are right, one, none. The interval is the tenth of R. G. Newcombe
    (Statistics in Medicine 17, 1998, 2635-2650): Wilson's intervals of both shares, combined with
    the correlation between the members of a pair.
    """
    total = both + first_only + second_only + neither
    first, second = both + first_only, both + second_only
    difference = (first - second) / total
    (low, high), (other_low, other_high) = wilson(first, total), wilson(second, total)
    below = first / total - low, other_high - second / total
    above = high - first / total, second / total - other_low
    product: float = both * neither - first_only * second_only
    if product > 0:
        product = max(0.0, product - total / 2)  # Newcombe corrects it for continuity.
    spread = sqrt(first * (total - first) * second * (total - second))
    correlation = product / spread if spread else 0.0
    least, most = (
        sqrt(one**2 - 2 * correlation * one * other + other**2) for one, other in (below, above)
    )
    return difference, max(-1.0, difference - least), min(1.0, difference + most)


def mcnemar(first: int, second: int) -> float:
    """Return the p-value of Q. McNemar's test (1947), in its exact form, on two sides.

    ``first`` and ``second`` are the pairs that have only one of two properties.

    >>> mcnemar(5, 0), mcnemar(3, 3)
    (0.0625, 1.0)
    """
    count = first + second
    logs = (
        lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1) - count * log(2)
        for k in range(min(first, second) + 1)
    )
    return min(1.0, float(f"{2 * fsum(map(exp, logs)):.9g}"))


_SCALE = 400 / log(10)
_STEPS = 100
_EXACT = 1e-9  # of a step, relative to the strengths


@dataclass(frozen=True)
class Strengths:
    """The strengths of N players, whose mean is 0, and their standard errors; NaN: not comparable.

    They are those of the Bradley-Terry model, fitted to the results of their games. A player of
    strength s beats one of strength t with the chance 1 / (1 + 10 ** ((t - s) / 400)): the scale of
    Elo. A draw counts as half a win for each. The fitted strengths make the results most likely.
    (E. Zermelo 1929; R. A. Bradley, M. E. Terry 1952; D. R. Hunter 2004.)

    ``compared`` are the players that the results compare with each other, if there are any.
    """

    strength: NDArray[np.float64]  # [N]
    error: NDArray[np.float64]  # [N]
    compared: Sequence[int]


def fit(wins: NDArray[np.float64]) -> Strengths:
    """Fit strengths to ``wins[i, j]``, the games that i won against j: [N, N]; a draw is half one.

    Strengths are finite only where every split of the players into two groups has a win, or a draw,
    in both directions (Ford 1957). Where there is a split without, the largest group that has none
    is compared; of equally large ones, that of the most games, then of the most wins.
    """
    wins = wins.astype(np.float64)
    np.fill_diagonal(wins, 0)
    groups = _connected(wins > 0)
    compared = max(
        groups, key=lambda group: (len(group), wins[np.ix_(group, group)].sum(), wins[group].sum())
    )
    strength, error = np.full((2, len(wins)), np.nan)
    if len(compared) == 1:
        return Strengths(strength, error, [])
    strength[compared], error[compared] = _fitted(wins[np.ix_(compared, compared)])
    return Strengths(strength, error, compared)


def _fitted(wins: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Maximize the likelihood, which is concave, by Newton's method; halve steps that overshoot."""
    games, count = wins + wins.T, len(wins)
    mean = np.full((count, count), 1 / count)  # holds the mean of the strengths at 0

    def likelihood(at: NDArray[np.float64]) -> float:
        return -float((wins * np.logaddexp(0, at - at[:, None])).sum())

    def is_small(step: NDArray[np.float64]) -> bool:
        return bool(np.abs(step).max() <= _EXACT * (1 + np.abs(strength).max()))

    strength = np.zeros(count)
    for _ in range(_STEPS):
        chance = _chance(strength)
        slope = (wins - games * chance).sum(axis=1)
        step = np.linalg.solve(_curvature(games, chance) + mean, slope)
        while not is_small(step) and likelihood(strength + step) < likelihood(strength):
            step /= 2
        strength += step
        if is_small(step):
            break
    spread = np.linalg.inv(_curvature(games, _chance(strength)) + mean) - mean
    return _SCALE * strength, _SCALE * np.sqrt(np.maximum(0, np.diag(spread)))


def _chance(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the chance of each player to beat each other, without overflow."""
    apart = strength[:, None] - strength
    chance: NDArray[np.float64] = (1 + np.tanh(apart / 2)) / 2
    return chance


def _curvature(games: NDArray[np.float64], chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the negative second derivatives of the likelihood."""
    information = games * chance * (1 - chance)
    return np.diag(information.sum(axis=1)) - information


def _connected(beats: NDArray[np.bool_]) -> list[list[int]]:
    """Return the strongly connected components of a graph: all players of one reach each other."""
    reaches = beats | np.eye(len(beats), dtype=np.bool_)
    for _ in range(len(beats).bit_length()):  # Each time along paths of twice the length.
        reaches = reaches @ reaches
    return [np.flatnonzero(group).tolist() for group in np.unique(reaches & reaches.T, axis=0)]
