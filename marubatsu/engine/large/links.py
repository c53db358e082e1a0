"""Choices of a block, and the links that lead them to its neighbours, compiled.

A choice is a mask of places: the cells that a block leaves, in their order, as `engine.large.index`
numbers them. Choices are gone through in *runs*: those that agree in all but the lowest places.

A move leads from a row to a row of the next ply, and it moves all choices of a block in the same
way: their marks change places, and one may be added. A *link* says this for a block and one of its
neighbours. So the same kernels do for all games, with gravity and without, and both ways.

Where a link leaves the lowest places as they are, a run leads to a run, and no choice of it is
looked at by itself. Where it moves them but keeps them below the others, a table has the way from a
row of a run to its neighbour. There is one for each way to move them, and blocks share it.
"""

import numpy as np

from marubatsu.engine.large.arrays import LOW, NIBBLE, PIECE, SYMMETRY, Links, Ply, Rules, Words
from marubatsu.engine.large.compiled import MULTIPLIER, compiled, count_bits, inlined, shifted
from marubatsu.engine.rules.masks import Longs

LOW_BITS = (1 << LOW) - 1
"""The lowest places of a choice, in which those of a run differ."""

_PIECE_BITS = (1 << PIECE) - 1


@inlined
def rank_of(choice: int, ranks: Longs) -> int:
    """Return the number of a choice."""
    rank: int = ranks[0, 0, choice & _PIECE_BITS]
    marks = 0
    for piece in range(1, ranks.shape[0]):
        marks += count_bits(choice & _PIECE_BITS)
        choice >>= PIECE
        rank += ranks[piece, marks, choice & _PIECE_BITS]
    return rank


@inlined
def choice_at(rank: int, cells: int, chosen: int, ranks: Longs) -> int:
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
def mask_image(mask: int, image: Longs) -> int:
    """Return the image of a mask under a symmetry."""
    goal = 0
    for cell in range(image.size):
        if mask >> cell & 1:
            goal |= 1 << image[cell]
    return goal


@inlined
def combine(goals: Longs, images: Longs) -> None:
    """Write where the marks of every content of each nibble go: [nibble, content]."""
    for first in range(0, goals.size, NIBBLE):
        image = images[first // NIBBLE]
        image[0] = 0
        for content in range(1, 1 << min(NIBBLE, goals.size - first)):
            lowest = content & -content
            image[content] = image[content ^ lowest] | goals[first + count_bits(lowest - 1)]


@inlined
def moved(choice: int, images: Longs, number: int, nibble: int) -> int:
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
def compact_lines(block: int, rules: Rules, compact: Longs) -> int:
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
def common_cells(mask: int, lines: Longs, count: int) -> int:
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
def room_for_runs() -> Longs:
    """Return room for some runs."""
    return np.empty((RUNS, 7), np.int64)


@compiled
def next_runs(ply: Ply, start: int, stop: int, ranks: Longs, runs: Longs) -> tuple[int, int]:
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
def room_for_lines(rules: Rules) -> Longs:
    """Return room for the lines of a block, those that some runs may have, and those of a run.

    Each row has their number, for which places above the lowest it holds, and the lines.
    """
    return np.empty((3, 2 + rules.lines.size), np.int64)


@inlined
def lines_of_block(block: int, rules: Rules, lines: Longs) -> None:
    """Write the lines of a block; those of its runs are not known yet."""
    lines[0, 0] = compact_lines(block, rules, lines[0, 2:])
    lines[1, 1] = -1


@inlined
def lines_of_run(high: int, lines: Longs) -> int:
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
def _sift(lines: Longs, mask: int, inside: Longs) -> None:
    count = 2
    for number in range(2, 2 + lines[0]):
        inside[count] = lines[number]
        count += mask & lines[number] == lines[number]
    inside[0], inside[1] = count - 2, mask


@inlined
def rows_with(lines: Longs, marks: int, holding: Words, rows: Words) -> None:
    """Write the rows of a run that have one of its `lines_of_run`, as bits."""
    rows[:] = 0
    for number in range(2, 2 + lines[2, 0]):
        low = lines[2, number] & LOW_BITS
        rows[0] |= holding[low, marks, 0]
        rows[1] |= holding[low, marks, 1]


# The facts about a link from a block to a neighbour, and so about all its choices: the number of
# the neighbour; which high place of a choice decides whether it has this neighbour, as a bit, and
# what must be there; the condition of `Lows` that the lowest places must meet; the mark that is
# added, as a bit; the same if it goes below the others; the kind; the slot of the table for the
# lowest places.
BLOCK, _ASKED, _GIVEN, CONDITION, _FRESH, _LOW_FRESH, KIND, SLOT = range(8)

PATTERN, _USED = range(2)
"""What `Links.patterns` has of a slot."""

STRAIGHT = 0  # Runs lead to runs, in the same order.
APART = 1  # The lowest places stay below the others.
MIXED = 2

_SLOTS = 128  # more than a block has links
NO_ROW = 255
"""In `Links.sources`: no row of the run leads there."""


@inlined
def _place(block: int, rules: Rules) -> int:
    """Return the entry of a mask in `Rules.places`."""
    code = block
    if rules.gravity:
        code, column = 0, (1 << rules.rows) - 1
        for x in range(rules.columns):
            code = code * (rules.rows + 1) + count_bits(block >> x * rules.rows & column)
    place: int = rules.places[code]
    return place


@inlined
def _leads(block: int, cell: int, is_circle: bool, forward: bool, rules: Rules) -> bool:
    """Return whether setting or taking back a mark on a cell leads to another block."""
    bit = 1 << cell
    if not rules.gravity:
        return (block & bit != 0) == (is_circle and not forward)
    y = cell % rules.rows
    if forward:
        return block & bit == 0 and (y == rules.rows - 1 or block & bit << 1 != 0)
    return block & bit != 0 and (y == 0 or block & bit >> 1 == 0)


@inlined
def _goal_block(block: int, cell: int, is_circle: bool, rules: Rules) -> int:
    """Return the block after a mark on a cell is set or taken back."""
    return block ^ 1 << cell if rules.gravity or is_circle else block


@compiled
def neighbours_of(ply: Ply, first: int, last: int, forward: bool, rules: Rules, out: Longs) -> None:
    """Write the numbers of the neighbours of each block from ``first`` to before ``last``.

    ``forward`` says whether they are in the ply after, or in the ply before. ``out`` is by block
    and cell, -1 where no mark is set, or taken back; several cells may lead to the same neighbour.
    """
    is_circle = (ply.number % 2 == 0) == forward
    for number in range(first, last):
        block = ply.blocks[number]
        for cell in range(rules.cells):
            out[number - first, cell] = -1
            if _leads(block, cell, is_circle, forward, rules):
                goal = _goal_block(block, cell, is_circle, rules)
                out[number - first, cell] = _place(goal, rules) >> SYMMETRY


@inlined
def room_for_links(cells: int) -> Links:
    """Return room for the links of a block, after another."""
    return Links(
        np.empty((cells, 8), np.int64),
        np.zeros((cells, -(-cells // NIBBLE) + 1, 1 << NIBBLE), np.int64),
        np.empty((cells, 1 << LOW), np.int64),
        np.full((_SLOTS, 2), -1, np.int64),
        np.empty((_SLOTS, 1 << LOW), np.uint8),
        np.empty((_SLOTS, LOW + 1, 1 << LOW - 1), np.uint8),
    )


@compiled
def link_block(block: int, ply: Ply, forward: bool, rules: Rules, links: Links) -> int:
    """Describe the links of a block to the ply after it, or to the one before; return how many.

    All calls with the same ``links`` are for the same ply.
    """
    facts, images = links.facts, links.images
    is_circle = (ply.number % 2 == 0) == forward  # Whose mark is set, or taken back.
    is_chosen = is_circle == rules.gravity  # Whether choices are of this side's marks.
    left = cells_left(block, rules)
    goals = np.empty(rules.cells, np.int64)  # [place of a choice]: where its mark goes, as a bit
    count = 0
    for cell in range(rules.cells):
        if not _leads(block, cell, is_circle, forward, rules):
            continue
        goal = _goal_block(block, cell, is_circle, rules)
        place = _place(goal, rules)
        image = rules.images[place & (1 << SYMMETRY) - 1]
        left_there = cells_left(mask_image(goal, image), rules)
        marks, asked = aim(left, left_there, cell, image, goals)
        given = asked if is_chosen and not forward else 0
        fresh = place_bit(image[cell], left_there) if is_chosen and forward else 0
        kind, low_fresh = _kind(goals[:marks], asked, fresh)
        facts[count, BLOCK], facts[count, KIND] = place >> SYMMETRY, kind
        facts[count, CONDITION] = ply.lows.counts.shape[0] - 1  # All rows meet it.
        if asked and asked <= LOW_BITS:
            facts[count, CONDITION] = 2 * count_bits(asked - 1) + (given != 0)
            asked = given = 0
        facts[count, _ASKED], facts[count, _GIVEN] = asked, given
        facts[count, _FRESH], facts[count, _LOW_FRESH] = fresh, low_fresh
        combine(goals[:marks], images[count])
        if kind == APART:
            pattern = count_bits(low_fresh - 1) + 1 if low_fresh else 0
            for goal in goals[: min(marks, LOW)]:
                pattern = pattern << NIBBLE | (count_bits(goal - 1) + 1 if goal else 0)
            facts[count, SLOT] = _slot(pattern, block, count, ply, rules.ranks, links)
        elif kind != STRAIGHT:
            for number, content in enumerate(ply.lows.contents):
                links.low_images[count, number] = moved(content, images, count, 0)
        count += 1
    return count


@compiled
def _slot(pattern: int, block: int, link: int, ply: Ply, ranks: Longs, links: Links) -> int:
    """Return the slot that describes the way of the lowest places, and fill it if it is new."""
    slot = shifted(pattern * MULTIPLIER, 57)
    while links.patterns[slot, PATTERN] != pattern and links.patterns[slot, _USED] == block:
        slot = (slot + 1) % _SLOTS
    links.patterns[slot, _USED] = block
    if links.patterns[slot, PATTERN] != pattern:
        links.patterns[slot, PATTERN] = pattern
        lows, condition = ply.lows, links.facts[link, CONDITION]
        links.sources[slot] = NO_ROW
        for marks in range(lows.starts.size - 1):
            for each in range(lows.counts[condition, marks]):
                row = lows.fitting[condition, marks, each]
                number = lows.starts[marks] + row
                image = moved(lows.contents[number], links.images, link, 0)
                rank = rank_of(image | links.facts[link, _LOW_FRESH], ranks)
                links.low_ranks[slot, number] = rank
                links.sources[slot, marks, rank] = row
    return slot


@compiled
def aim(left: int, left_there: int, cell: int, image: Longs, goals: Longs) -> tuple[int, int]:
    """Write where the marks of a choice go by a link, as bits; a mark on ``cell`` goes nowhere.

    Return how many places there are, and the place of ``cell`` as a bit, or 0.
    """
    place = asked = 0
    for each in range(image.size):
        if left >> each & 1:
            goals[place] = place_bit(image[each], left_there)
            if each == cell:
                asked, goals[place] = 1 << place, 0
            place += 1
    return place, asked


@compiled
def _kind(goals: Longs, asked: int, fresh: int) -> tuple[int, int]:
    """Return the kind of a link, and the added mark if it goes below others, as a bit."""
    straight = asked & LOW_BITS == 0 and (fresh == 0 or fresh > LOW_BITS)
    lowest, highest = 0, 1 << 62
    for place, goal in enumerate(goals):
        if place < LOW:
            straight &= goal == 1 << place
            lowest = max(lowest, goal)
        elif goal:
            highest = min(highest, goal)
    if straight:
        return STRAIGHT, 0
    if lowest < highest:
        return APART, fresh if fresh < highest else 0
    return MIXED, 0


@inlined
def has_link(high: int, link: int, links: Links) -> bool:
    """Return whether a run has a link: whether the place that decides it has the needed content.

    One of the lowest places decides for each row by itself.
    """
    has: bool = high & links.facts[link, _ASKED] == links.facts[link, _GIVEN]
    return has


@inlined
def image_of(high: int, marks: int, link: int, links: Links) -> int:
    """Return where the high marks of a run go by a link, with the mark that is added.

    For the kinds `STRAIGHT` and `APART`, return the whole choice from which the neighbours of the
    run are counted: the one with the lowest marks. ``marks`` is how many low marks its rows have.
    """
    facts = links.facts
    image: int = facts[link, _FRESH] | moved(high >> LOW, links.images, link, LOW // NIBBLE)
    if facts[link, KIND] != MIXED:
        low_fresh = facts[link, _LOW_FRESH]
        marks += (low_fresh != 0) - (facts[link, CONDITION] & 1)
        image = image ^ low_fresh | (1 << max(marks, 0)) - 1
    return image


@inlined
def row_near(image: int, run: Longs, row: int, link: int, links: Links, ranks: Longs) -> int:
    """Return where a link leads a row of a run, counted in the block; ``image`` is `image_of`."""
    kind, number = links.facts[link, KIND], run[FIRST] + row
    if kind == MIXED:
        return rank_of(image | links.low_images[link, number], ranks)
    if kind == APART:
        row = links.low_ranks[links.facts[link, SLOT], number]
    return rank_of(image, ranks) + row
