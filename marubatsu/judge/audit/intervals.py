"""Confidence intervals and a test for shares, from samples."""

from math import exp, fsum, lgamma, log, sqrt

_Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations


def percents(right: int, total: int) -> list[float | None]:
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
