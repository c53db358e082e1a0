"""Choices of a block, compiled: their numbers, their images, the lines among their places.

A choice is a mask of places: the cells that a block leaves, in their order, as `engine.large.index`
numbers them. Choices are gone through in *runs*: those that agree in all but the lowest places.
"""

from collections.abc import Iterator

from marubatsu.engine.large.compiled import compiled, count_bits, inlined, uncached
from marubatsu.engine.large.tables import LOW, PIECE, Ints, Ply, Rules

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
    """Write where the marks of every content of a byte go."""
    images[0] = 0
    for content in range(1, 1 << goals.size):
        lowest = content & -content
        images[content] = images[content ^ lowest] | goals[count_bits(lowest - 1)]


@inlined
def high_image(high: int, link: int, images: Ints) -> int:
    """Return where the marks above the lowest places go by a link."""
    image, byte = 0, 1
    while high >> 8 * byte:
        image |= images[link, byte, high >> 8 * byte & 255]
        byte += 1
    return image


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
    """Return the cells that those of some lines share that a side has; -1 when it has none."""
    common = -1
    for number in range(count):
        if mask & lines[number] == lines[number]:
            common &= lines[number]
    return common


@inlined
def alive_lines(high: int, lines: Ints, count: int, alive: Ints) -> int:
    """Write the lines that a run may have, where a choice has the marks; return how many."""
    found = 0
    for number in range(count):
        if (high | LOW_BITS) & lines[number] == lines[number]:
            alive[found] = lines[number]
            found += 1
    return found


@uncached  # A kernel that is compiled later could not call a generator from the cache.
def runs(ply: Ply, start: int, stop: int, ranks: Ints) -> Iterator[tuple[int, int, int, int]]:
    """Yield the runs of some rows of a block, of those from ``start`` to before ``stop``.

    Each is the part of its choices that is the same, the first of its lowest places in `Ply.lows`,
    its number of rows, and the first of them.
    """
    high = choice_at(start, ply.cells, ply.chosen, ranks) & ~LOW_BITS
    at = rank_of(high | (1 << ply.chosen - count_bits(high)) - 1, ranks)
    while at < stop:
        marks = ply.chosen - count_bits(high)
        if 0 <= marks < ply.starts.size - 1:
            size = ply.starts[marks + 1] - ply.starts[marks]
            cut = max(start - at, 0)
            yield high, ply.starts[marks] + cut, min(stop - at, size) - cut, at + cut
            at += size
        high += 1 << LOW
