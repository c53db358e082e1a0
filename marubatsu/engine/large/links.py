"""Links from a block to its neighbours, compiled.

A move leads from a row to a row of the next ply, and it moves all choices of a block in the same
way: their marks change places, and one may be added. A *link* says this for a block and one of its
neighbours. So the same kernels do for all games, with gravity and without, and both ways.

Where a link leaves the lowest places as they are, a run leads to a run, and no choice of it is
looked at by itself.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.choices import (
    LOW_BITS,
    cells_left,
    combine,
    high_image,
    mask_image,
    place_bit,
    rank_of,
)
from marubatsu.engine.large.compiled import compiled, count_bits, inlined
from marubatsu.engine.large.tables import (
    LOW,
    SYMMETRY,
    Ints,
    Links,
    Neighbours,
    Ply,
    Reached,
    Rules,
)

Near = Neighbours | Reached

# The facts about a link from a block to a neighbour, and so about all its choices: the number of
# the neighbour; which place of a choice decides whether it has this neighbour, as a bit, and what
# must be there; the mark that is added, as a bit; the same if it goes below the others; the kind.
_BLOCK, ASKED, GIVEN, _FRESH, _LOW_FRESH, KIND = range(6)

STRAIGHT = 0  # Runs lead to runs, in the same order.
APART = 1  # The lowest places stay below the others.
_MIXED = 2


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
def neighbours_of(ply: Ply, first: int, last: int, forward: bool, rules: Rules, out: Ints) -> None:
    """Write the numbers of the neighbours of each block from ``first`` to before ``last``.

    ``forward`` tells whether they are in the ply after, or in the ply before. ``out`` is by block
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
    """Return room for the links of a block."""
    return Links(
        np.empty((cells, 6), np.int64),
        np.zeros((cells, 8, 256), np.int64),
        np.empty((cells, 256), np.int32),
    )


@compiled
def link_block(block: int, ply: Ply, forward: bool, rules: Rules, links: Links) -> int:
    """Describe the links of a block to the ply after it, or to the one before; return how many."""
    facts, images, low_ranks = links
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
        fresh = place_bit(image[cell], left_there) if is_chosen and forward else 0
        kind, low_fresh = _kind(goals[:marks], asked, fresh)
        facts[count, _BLOCK], facts[count, KIND] = place >> SYMMETRY, kind
        facts[count, ASKED] = asked
        facts[count, GIVEN] = asked if is_chosen and not forward else 0
        facts[count, _FRESH], facts[count, _LOW_FRESH] = fresh, low_fresh
        for first in range(0, marks, 8):
            combine(goals[first : min(first + 8, marks)], images[count, first // 8])
        if kind == APART:
            for number, content in enumerate(ply.lows):
                choice = images[count, 0, content] | low_fresh
                low_ranks[count, number] = rank_of(choice, rules.ranks)
        count += 1
    return count


@compiled
def aim(left: int, left_there: int, cell: int, image: Ints, goals: Ints) -> tuple[int, int]:
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
def _kind(goals: Ints, asked: int, fresh: int) -> tuple[int, int]:
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
    return _MIXED, 0


@inlined
def _joined(one: int, other: int, adds: bool) -> int:
    return one + other if adds else min(one, other)


@inlined
def has_link(high: int, link: int, links: Links) -> bool:
    """Return whether a run has a link: whether the place that decides it has the needed content.

    One of the lowest places decides for each row by itself.
    """
    asked = links.facts[link, ASKED]
    has: bool = asked <= LOW_BITS or high & asked == links.facts[link, GIVEN]
    return has


@inlined
def aimed(
    high: int, number: int, link: int, links: Links, near: Near, lows: Ints, ranks: Ints
) -> tuple[int, int]:
    """Return the row from which a link counts the neighbours of a run, and the image of ``high``.

    ``number`` is that of the run's first row in ``lows``.
    """
    facts = links.facts
    image: int = facts[link, _FRESH] | high_image(high, link, links.images)
    begin: int = near.first_rows[facts[link, _BLOCK]]
    if facts[link, KIND] == STRAIGHT:
        begin += rank_of(image | lows[number], ranks) - number
    elif facts[link, KIND] == APART:
        low_fresh, given = facts[link, _LOW_FRESH], facts[link, GIVEN] & LOW_BITS
        marks = count_bits(lows[number]) + (low_fresh != 0) - (given != 0)
        begin += rank_of(image ^ low_fresh | (1 << marks) - 1, ranks)
    return begin, image


@inlined
def neighbour(
    number: int, link: int, begin: int, image: int, links: Links, lows: Ints, ranks: Ints
) -> int:
    """Return the neighbour of the row of a run that has a number in ``lows``, by a link."""
    kind = links.facts[link, KIND]
    if kind == STRAIGHT:
        return begin + number
    if kind == APART:
        number = links.low_ranks[link, number]
        return begin + number
    return begin + rank_of(image | links.images[link, 0, lows[number]], ranks)


@compiled
def follow(
    high: int,
    first: int,
    count: int,
    linked: int,
    links: Links,
    near: Neighbours,
    lows: Ints,
    ranks: Ints,
    adds: bool,
    out: NDArray[Any],
    at: int,
) -> None:
    """Lower ``count`` values of a run, from ``out[at]`` on, to those of their neighbours.

    The run's choices are ``high`` and the lowest places from ``lows[first]`` on. With ``adds``, add
    the values up instead.
    """
    facts, images, low_ranks = links
    values = near.values
    for link in range(linked):
        if not has_link(high, link, links):
            continue
        begin, image = aimed(high, first, link, links, near, lows, ranks)
        asked, given = facts[link, ASKED] & LOW_BITS, facts[link, GIVEN] & LOW_BITS
        kind = facts[link, KIND]
        if kind == STRAIGHT:
            for i in range(count):
                out[at + i] = _joined(out[at + i], values[begin + first + i], adds)
        elif kind == APART:
            for i in range(count):
                if asked == 0 or lows[first + i] & asked == given:
                    there = begin + low_ranks[link, first + i]
                    out[at + i] = _joined(out[at + i], values[there], adds)
        else:
            for i in range(count):
                low = lows[first + i]
                if low & asked == given:
                    there = begin + rank_of(image | images[link, 0, low], ranks)
                    out[at + i] = _joined(out[at + i], values[there], adds)
