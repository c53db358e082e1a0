"""Counts over the rows of a ply, compiled: classes, their members, lines of play.

A symmetric block holds some classes more than once. Only the smallest row of each class is kept.
"""

import numpy as np

from marubatsu.engine.large.arrays import NIBBLE, Ints, Neighbours, Ply, Remainders, Rules
from marubatsu.engine.large.compiled import compiled, count_bits, inlined
from marubatsu.engine.large.links import (
    BLOCK,
    CONDITION,
    HIGH,
    MARKS,
    ROW,
    aim,
    cells_left,
    choice_at,
    combine,
    common_cells,
    compact_lines,
    has_link,
    image_of,
    link_block,
    mask_image,
    moved,
    next_choice,
    next_runs,
    rank_of,
    room_for_links,
    room_for_runs,
    row_near,
)
from marubatsu.engine.large.values import FAR, NULL, Values


@compiled
def count_lines(
    ply: Ply, first: int, last: int, rules: Rules, before: Neighbours, out: Remainders
) -> None:
    """Count the lines of play that lead to the position that each row of whole blocks shows.

    ``before`` has the same for the ply before, 0 where the game has ended; or remainders of it.
    """
    lows, ranks = ply.lows, rules.ranks
    links, runs = room_for_links(rules.cells), room_for_runs()
    out[:] = 0
    for number in range(first // ply.size, last // ply.size):
        linked = link_block(ply.blocks[number], ply, False, rules, links)
        begin, start = number * ply.size - first, 0
        while start < ply.size:
            count, start = next_runs(ply, start, ply.size, ranks, runs)
            for run in runs[:count]:
                for link in range(linked):
                    if has_link(run[HIGH], link, links):
                        origin = before.first_rows[links.facts[link, BLOCK]]
                        condition = links.facts[link, CONDITION], run[MARKS]
                        image = image_of(run[HIGH], run[MARKS], link, links)
                        for i in lows.fitting[condition][: lows.counts[condition]]:
                            there = row_near(image, run, i, link, links, ranks)
                            out[begin + run[ROW] + i] += before.values[origin + there]


@compiled
def own_images(ply: Ply, number: int, rules: Rules, images: Ints) -> int:
    """Write where the symmetries that keep a block as it is lead choices; return how many do.

    ``images`` is by symmetry, nibble of a choice, and content; the identity is left out.
    """
    block = ply.blocks[number]
    left = cells_left(block, rules)
    goals = np.empty(ply.cells, np.int64)
    count = 0
    for symmetry in range(1, rules.images.shape[0]):
        image = rules.images[symmetry]
        if mask_image(block, image) == block:
            aim(left, left, -1, image, goals)
            combine(goals, images[count])
            count += 1
    return count


@inlined
def room_for_images(rules: Rules) -> Ints:
    """Return room for the result of `own_images`."""
    return np.zeros((rules.images.shape[0], -(-rules.cells // NIBBLE), 1 << NIBBLE), np.int64)


@inlined
def members_of(choice: int, count: int, images: Ints, symmetries: int) -> int:
    """Return the number of members of the class that a choice shows; 0 if a smaller one does.

    ``count`` and ``images`` are the results of `own_images` for the block.
    """
    same = 1
    for number in range(count):
        goal = moved(choice, images, number, 0)
        if goal < choice:
            return 0
        same += goal == choice
    return symmetries // same


@compiled
def count_classes(
    ply: Ply, first: int, last: int, rules: Rules, values: Values, counts: Ints
) -> None:
    """Count the classes that rows show, and their members, by value; keep one row of each.

    ``values`` are those of the rows from ``first`` to before ``last``. Where a smaller row of the
    ply shows the same class, the value becomes `NULL`. ``counts`` has the classes, then their
    members, [2, 128 + value].
    """
    symmetries = rules.images.shape[0]
    images = room_for_images(rules)
    seen = np.zeros((4, 256), np.int64)  # Four, so that one row need not wait for the one before.
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        count = own_images(ply, number, rules, images)
        start, stop = max(first, base) - first, min(last, base + ply.size) - first
        if not count:
            for row in range(start, stop):
                seen[row & 3, 128 + values[row]] += 1
            continue
        choice = choice_at(first + start - base, ply.cells, ply.chosen, rules.ranks)
        for row in range(start, stop):
            if values[row] != NULL:
                members = members_of(choice, count, images, symmetries)
                if members:
                    counts[0, 128 + values[row]] += 1
                    counts[1, 128 + values[row]] += members
                else:
                    values[row] = NULL
            choice = next_choice(choice)
    for each in range(4):
        for value in range(128 + NULL):  # The last one, `NULL`, is left out.
            counts[0, value] += seen[each, value]
            counts[1, value] += seen[each, value] * symmetries


@compiled
def last_moves(
    ply: Ply, first: int, last: int, rules: Rules, values: Values, out: Remainders
) -> None:
    """Write for each row how many of its marks may be the last, where a game has ended, or else 1.

    That is for games without gravity: the marks that all lines of the side that waits share.
    """
    compact = np.empty_like(rules.lines)
    out[:] = 1
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        shared = common_cells(ply.blocks[number], rules.lines, rules.lines.size)
        own_lines = compact_lines(ply.blocks[number], rules, compact)
        start, stop = max(first, base), min(last, base + ply.size)
        choice = choice_at(start - base, ply.cells, ply.chosen, rules.ranks)
        for row in range(start - first, stop - first):
            if abs(values[row]) == FAR:
                common = shared if ply.number % 2 else common_cells(choice, compact, own_lines)
                out[row] = count_bits(common)
            choice = next_choice(choice)


@compiled
def sum_lines(
    ply: Ply, first: int, last: int, rules: Rules, values: Values, lines: Remainders, sums: Ints
) -> None:
    """Add up the lines of play to the members of the classes that rows show, by value.

    ``values`` and ``lines`` are those of the rows from ``first`` to before ``last``; ``sums`` is
    [128 + value].
    """
    symmetries = rules.images.shape[0]
    images = room_for_images(rules)
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        count = own_images(ply, number, rules, images)
        start, stop = max(first, base) - first, min(last, base + ply.size) - first
        choice = choice_at(first + start - base, ply.cells, ply.chosen, rules.ranks)
        for row in range(start, stop):
            if values[row] != NULL:
                members = members_of(choice, count, images, symmetries)
                sums[128 + values[row]] += members * np.int64(lines[row])
            choice = next_choice(choice)


@compiled
def show_again(ply: Ply, first: int, last: int, rules: Rules, values: Values) -> None:
    """Give all rows that show a class its value, from the one that was kept.

    ``values`` are those of the rows from ``first`` to before ``last``, which are whole blocks.
    """
    images = room_for_images(rules)
    for number in range(first // ply.size, last // ply.size):
        base = number * ply.size - first
        count = own_images(ply, number, rules, images)
        # Kept rows are the smallest of their classes: downward, no other row has its value yet.
        for row in range(ply.size - 1 if count else -1, -1, -1):
            if values[base + row] != NULL:
                choice = choice_at(row, ply.cells, ply.chosen, rules.ranks)
                for image in range(count):
                    there = rank_of(moved(choice, images, image, 0), rules.ranks)
                    values[base + there] = values[base + row]
