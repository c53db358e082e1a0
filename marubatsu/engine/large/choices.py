"""Choices of a block, compiled: their numbers, their images, the lines among their places.

A choice is a mask of places: the cells that a block leaves, in their order, as `engine.large.index`
numbers them. Choices are gone through in *runs*: those that agree in all but the lowest places.
"""

import numpy as np

from marubatsu.engine.large.arrays import LOW, NIBBLE, PIECE, Ints, Ply, Rules, Words
from marubatsu.engine.large.compiled import compiled, count_bits, inlined

LOW_BITS = (1 << LOW) - 1
"""The lowest places of a choice, in which those of a run differ."""

_PIECE_BITS = (1 << PIECE) - 1


@inlined
def rank_of(choice: int, ranks: Ints) -> int:
    """Return the number of a choice."""
    rank: int = ranks[0, 0, choice & _PIECE_BITS]
    marks = 0
    for piece in range(1, ranks.shape[0]):
        marks += count_bits(choice & _PIECE_BITS)
        choice >>= PIECE
        rank += ranks[piece, marks, choice & _PIECE_BITS]
    return rank


@inlined
def choice_at(rank: int, cells: int, chosen: int, ranks: Ints) -> int:
    """Return the choice with a number: from the last place on, the greatest that fits."""
    choice, missing = 0, chosen
    for place in range(cells - 1, -1, -1):
        if missing:
            least = ranks[place // PIECE, missing - 1, 1 << place % PIECE]
            if rank >= least:
                choice |= 1 << place
                rank -= least
                missing -= 1
    return choice


@inlined
def next_choice(choice: int) -> int:
    """Return the choice with the next number: the next greater mask with as many bits."""
    lowest = choice & -choice
    carried = choice + lowest
    return carried | (carried ^ choice) >> count_bits(lowest - 1) + 2


@inlined
def cells_left(block: int, rules: Rules) -> int:
    """Return the cells among which the choices of a block are made."""
    return block if rules.gravity else ~block & (1 << rules.cells) - 1


@inlined
def place_bit(cell: int, left: int) -> int:
    """Return the place of a cell among those that are left, as a bit."""
    return 1 << count_bits(left & (1 << cell) - 1)


@inlined
def mask_image(mask: int, image: Ints) -> int:
    """Return the image of a mask under a symmetry."""
    goal = 0
    for cell in range(image.size):
        if mask >> cell & 1:
            goal |= 1 << image[cell]
    return goal


@inlined
def combine(goals: Ints, images: Ints) -> None:
    """Write where the marks of every content of each nibble go: [nibble, content]."""
    for first in range(0, goals.size, NIBBLE):
        image = images[first // NIBBLE]
        image[0] = 0
        for content in range(1, 1 << min(NIBBLE, goals.size - first)):
            lowest = content & -content
            image[content] = image[content ^ lowest] | goals[first + count_bits(lowest - 1)]


@inlined
def moved(choice: int, images: Ints, number: int, nibble: int) -> int:
    """Return where the marks of a choice go, by one of some results of `combine`.

    The first place of the choice is that of a nibble.
    """
    goal = 0
    while choice:
        goal |= images[number, nibble, choice & (1 << NIBBLE) - 1]
        choice >>= NIBBLE
        nibble += 1
    return goal


@compiled
def compact_lines(block: int, rules: Rules, compact: Ints) -> int:
    """Write the lines among the cells that are left, as places of a choice; return how many."""
    left = cells_left(block, rules)
    count = 0
    for line in rules.lines:
        if line & ~left == 0:
            compact[count] = index = 0
            for cell in range(rules.cells):
                if left >> cell & 1:
                    compact[count] |= (line >> cell & 1) << index
                    index += 1
            count += 1
    return count


@inlined
def common_cells(mask: int, lines: Ints, count: int) -> int:
    """Return the cells common to all lines that a mask completes; -1 if it completes none."""
    common = -1
    for number in range(count):
        if mask & lines[number] == lines[number]:
            common &= lines[number]
    return common


RUNS = 256
"""Runs that a kernel works on at a time: their rows stay in the cache of the processor."""

HIGH, FIRST, SIZE, MARKS, ROW, CUT, COUNT = range(7)
"""What `next_runs` writes of a run: the part of its choices that is the same; the first of its
lowest places in `Lows.contents`, how many there are, and how many marks each has; its first row in
the block. Some rows of a run may not be asked for: how many at its beginning, and how many are."""


@inlined
def room_for_runs() -> Ints:
    """Return room for some runs."""
    return np.empty((RUNS, 7), np.int64)


@compiled
def next_runs(ply: Ply, start: int, stop: int, ranks: Ints, runs: Ints) -> tuple[int, int]:
    """Write the next runs of a block, for its rows from ``start`` to before ``stop``.

    Return how many there are, and the row after them.
    """
    starts = ply.lows.starts
    high = choice_at(start, ply.cells, ply.chosen, ranks) & ~LOW_BITS
    at = rank_of(high | (1 << ply.chosen - count_bits(high)) - 1, ranks)
    count = 0
    while at < stop and count < RUNS:
        marks = ply.chosen - count_bits(high)
        if 0 <= marks < starts.size - 1:
            run, size = runs[count], starts[marks + 1] - starts[marks]
            run[HIGH], run[FIRST], run[SIZE], run[MARKS] = high, starts[marks], size, marks
            run[ROW], run[CUT] = at, max(start - at, 0)
            run[COUNT] = min(stop - at, size) - run[CUT]
            count += 1
            at += size
        high += 1 << LOW
    return count, min(at, stop)


@inlined
def room_for_lines(rules: Rules) -> Ints:
    """Return room for the lines of a block, those that some runs may have, and those of a run.

    Each row has their number, for which places above the lowest it holds, and the lines.
    """
    return np.empty((3, 2 + rules.lines.size), np.int64)


@inlined
def lines_of_block(block: int, rules: Rules, lines: Ints) -> None:
    """Write the lines of a block; those of its runs are not known yet."""
    lines[0, 0] = compact_lines(block, rules, lines[0, 2:])
    lines[1, 1] = -1


@inlined
def lines_of_run(high: int, lines: Ints) -> int:
    """Write the lines that a run may have, where a choice has the marks; return how many.

    ``high`` is the part of the choices that is the same. They are among those that all runs may
    have that have the same places but for the lowest two times `LOW`.
    """
    upper = high | (1 << 2 * LOW) - 1
    if lines[1, 1] != upper:
        _sift(lines[0], upper, lines[1])
    _sift(lines[1], high | LOW_BITS, lines[2])
    count: int = lines[2, 0]
    return count


@inlined
def _sift(lines: Ints, mask: int, inside: Ints) -> None:
    count = 2
    for number in range(2, 2 + lines[0]):
        inside[count] = lines[number]
        count += mask & lines[number] == lines[number]
    inside[0], inside[1] = count - 2, mask


@inlined
def rows_with(lines: Ints, marks: int, holding: Words, rows: Words) -> None:
    """Write the rows of a run that have one of its `lines_of_run`, as bits."""
    rows[:] = 0
    for number in range(2, 2 + lines[2, 0]):
        low = lines[2, number] & LOW_BITS
        rows[0] |= holding[low, marks, 0]
        rows[1] |= holding[low, marks, 1]
