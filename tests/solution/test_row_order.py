"""The order of rows from which samples are drawn: each number once, and no number preferred."""

import itertools

import numpy as np
import pytest

from marubatsu.engine.large.row_order import shuffled


def first(many: int, count: int, seed: int) -> list[int]:
    """Return the first numbers below a count in the order of a seed."""
    numbers = itertools.chain.from_iterable(shuffled(count, seed, 1 << 10))
    return [int(number) for number in itertools.islice(numbers, many)]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 16, 17, 4096, 5478])
def test_each_number_comes_once(count: int) -> None:
    for seed in (0, 1, 2**70):
        assert sorted(first(count + 1, count, seed)) == [*range(count)]


def test_an_order_is_that_of_its_seed() -> None:
    whole = first(5478, 5478, 7)
    batches = [*shuffled(5478, 7, 100)]
    assert max(map(len, batches)) <= 100
    assert np.concatenate(batches).tolist() == whole != first(5478, 5478, 8)
    # What was drawn when this was written, because other releases should draw the same samples.
    assert whole[:4] == [4578, 4786, 3904, 2866]
    assert first(3, 85_704_890_627, 0) == [40_933_946_513, 13_334_914_031, 80_591_055_289]


@pytest.mark.parametrize(("count", "together"), [(20, 1), (6, 2), (4, 3)])
def test_no_number_comes_first_more_often(count: int, together: int) -> None:
    """Chi-square over the first numbers of 4,000 seeds, five standard deviations wide."""
    ways = list(itertools.permutations(range(count), together))
    found = [tuple(first(together, count, seed)) for seed in range(4000)]
    expected = len(found) / len(ways)
    squares = sum((found.count(way) - expected) ** 2 / expected for way in ways)
    free = len(ways) - 1
    assert abs(squares - free) < 5 * (2 * free) ** 0.5


def test_neighbours_are_far_apart() -> None:
    """In a large game the rows of a sample are spread evenly, and none tells of the next."""
    count = 10**11
    numbers = np.array(first(4000, count, 3))
    tenths = np.bincount(numbers * 10 // count, minlength=10)
    assert np.abs(tenths - 400).max() < 5 * 400**0.5
    assert abs(np.corrcoef(numbers[:-1], numbers[1:])[0, 1]) < 5 / 4000**0.5
