"""A pseudorandom order of all numbers below a count, computed without a list of them.

So a sample of a game with 10^11 rows can read row after row, none twice, until it is large enough.
The order is a Feistel network: a few rounds that each mix half of the bits into the other half, so
every round, and all of them, can be undone (Luby and Rackoff, "How to construct pseudorandom
permutations from pseudorandom functions", 1988).
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

_ROUNDS = 6


def shuffled(count: int, seed: int, batch: int) -> Iterator[NDArray[np.int64]]:
    """Yield all numbers below a count in the order of a seed, about ``batch`` of them at a time.

    The order does not depend on ``batch``. The seed is 0 or more.
    """
    half = max(1, -(-max(count - 1, 0).bit_length() // 2))
    keys = np.random.SeedSequence(seed).generate_state(_ROUNDS, np.uint64).astype(np.uint64)
    for start in range(0, 1 << 2 * half, batch):
        places = np.arange(start, min(start + batch, 1 << 2 * half), dtype=np.uint64)
        numbers = _mixed(places, np.uint64(half), keys).astype(np.int64)
        yield numbers[numbers < count]


def _mixed(
    places: NDArray[np.uint64], half: np.uint64, keys: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    low = (np.uint64(1) << half) - np.uint64(1)
    left, right = places >> half, places & low
    for key in keys:
        left, right = right, left ^ (_hashed(right ^ key) & low)
    return left << half | right


def _hashed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Let every bit of a word change about half of its bits; as SplitMix64 ends."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)
