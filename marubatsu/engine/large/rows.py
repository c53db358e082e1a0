"""Kernels that look at each row of a ply by itself.

They count classes, their members, and lines of play. A symmetric block holds some classes more than
once: only the smallest row of each class is kept.

They also hold what the rules alone say of a row: most values, and which rows have none::

    finished           the side that waits has a line
    ends in one ply    the mover can complete a line; in misère each of its moves completes one
    ends in two plies  after each move the other side can complete a line; in misère there is a
                       move after which each of its moves completes one
    no value           a smaller row shows the class, or play cannot reach the position

All rows of a block have a choice among the same cells. So `derive` has these cells as the lowest
bits of masks, in their order, and the others follow: a choice is the mask of a side as it is.
"""

import numpy as np

from marubatsu.engine.large.arrays import NIBBLE, Neighbours, Ply, Remainders, Rules
from marubatsu.engine.large.compiled import compiled, count_bits, inlined
from marubatsu.engine.large.links import (
    BLOCK,
    CONDITION,
    COUNT,
    CUT,
    FIRST,
    HIGH,
    LOW_BITS,
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
    place_bit,
    rank_of,
    room_for_links,
    room_for_runs,
    row_near,
)
from marubatsu.engine.large.values import FAR, NULL, Values
from marubatsu.engine.rules.masks import Longs


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
def own_images(ply: Ply, number: int, rules: Rules, images: Longs) -> int:
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
def room_for_images(rules: Rules) -> Longs:
    """Return room for the result of `own_images`."""
    return np.zeros((rules.images.shape[0], -(-rules.cells // NIBBLE), 1 << NIBBLE), np.int64)


@inlined
def members_of(choice: int, count: int, images: Longs, symmetries: int) -> int:
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
    ply: Ply, first: int, last: int, rules: Rules, values: Values, counts: Longs
) -> None:
    """Count the classes that rows show, and their members, by value; keep one row of each.

    ``values`` are those of the rows from ``first`` to before ``last``. Where a smaller row of the
    ply shows the same class, the value becomes `NULL`. ``counts`` has the classes, then their
    members, [2, 128 + value].
    """
    symmetries = rules.images.shape[0]
    images = room_for_images(rules)
    seen = np.zeros(256, np.int64)
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        count = own_images(ply, number, rules, images)
        start, stop = max(first, base) - first, min(last, base + ply.size) - first
        if not count:
            for row in range(start, stop):
                seen[128 + values[row]] += 1
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
    counts[0, :-1] += seen[:-1]  # The last one, `NULL`, is left out.
    counts[1, :-1] += seen[:-1] * symmetries


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
    ply: Ply, first: int, last: int, rules: Rules, values: Values, lines: Remainders, sums: Longs
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


OPEN = np.int8(-128)
"""In place of a value: the rules alone do not say it; less than every value."""

_OPENED, _TOPS, _BELOW = range(3)  # The cells of a block: see `_describe`.


@compiled
def derive(ply: Ply, first: int, last: int, rules: Rules, out: Values) -> None:
    """Write what the rules alone say of rows: a value, `NULL`, or `OPEN` where they do not say it.

    With gravity `NULL` is not for all rows that play cannot reach. Their marks are taken back
    twice: the last one is on top of a column, and so is then the one before.
    """
    symmetries, images, runs = rules.images.shape[0], room_for_images(rules), room_for_runs()
    lines, my_lines, their_lines = np.empty((3, rules.lines.size), np.int64)
    cells, above = np.empty(3, np.int64), np.zeros(64, np.int64)
    inside, outside = (1 << ply.cells) - 1, (1 << rules.cells) - (1 << ply.cells)
    is_mine = rules.gravity == (ply.number % 2 == 0)  # Whether choices are of the mover's marks.
    end = FAR if rules.misere else -FAR
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        begin = number * ply.size - first
        start, stop = max(-begin, 0), min(last - first - begin, ply.size)
        own = own_images(ply, number, rules, images)
        count = _describe(ply.blocks[number], ply, rules, lines, cells, above)
        while start < stop:
            found, start = next_runs(ply, start, stop, rules.ranks, runs)
            for run in runs[:found]:
                high = run[HIGH]
                rest = inside & ~high if rules.gravity else outside
                chosen = high | LOW_BITS & inside
                mine, theirs = (chosen, rest) if is_mine else (rest, chosen)
                my_count = _near(mine, lines, count, my_lines)
                their_count = _near(theirs, lines, count, their_lines)
                for row in range(run[CUT], run[CUT] + run[COUNT]):
                    choice = high | ply.lows.contents[run[FIRST] + row]
                    rest = inside & ~choice if rules.gravity else outside
                    mine, theirs = (choice, rest) if is_mine else (rest, choice)
                    common = common_cells(theirs, their_lines, their_count)
                    if (
                        (own and not members_of(choice, own, images, symmetries))
                        or (common != -1 and common & cells[_TOPS] == 0)
                        or common_cells(mine, my_lines, my_count) != -1
                        or (rules.gravity and not _can_be_last(mine, theirs, cells))
                    ):
                        value = int(NULL)
                    elif common != -1:
                        value = end
                    else:
                        free = cells[_OPENED] if rules.gravity else inside & ~choice
                        mine = _completing(mine, my_lines, my_count) & free
                        theirs = _completing(theirs, their_lines, their_count)
                        value = _soon(mine, theirs, free, above, rules)
                    out[begin + run[ROW] + row] = value


@compiled
def _describe(block: int, ply: Ply, rules: Rules, lines: Longs, cells: Longs, above: Longs) -> int:
    """Write the lines of a block that rows may complete, and some of its cells; return how many.

    With gravity ``cells`` are those where a mark can be set, those of the marks on top, and those
    below these; ``above`` has, by the number of an open cell, the one that it opens. Without
    gravity any mark may be the last.
    """
    left = cells_left(block, rules)
    count = 0
    for line in rules.lines:
        mask = 0
        for cell in range(rules.cells):
            if line >> cell & 1:
                mask |= _bit(cell, left, ply.cells)
        if not rules.gravity or count_bits(mask >> ply.cells) <= 1:
            lines[count] = mask
            count += 1
    cells[:] = 0
    if not rules.gravity:
        cells[_TOPS] = -1
        return count
    for cell in range(rules.cells):
        bit, is_highest = _bit(cell, left, ply.cells), cell % rules.rows == 0
        is_lowest = (cell + 1) % rules.rows == 0
        if not block >> cell & 1 and (is_lowest or block >> cell + 1 & 1):
            cells[_OPENED] |= bit
            above[count_bits(bit - 1)] = 0 if is_highest else _bit(cell - 1, left, ply.cells)
        elif block >> cell & 1 and (is_highest or not block >> cell - 1 & 1):
            cells[_TOPS] |= bit
            cells[_BELOW] |= 0 if is_lowest else _bit(cell + 1, left, ply.cells)
    return count


@inlined
def _bit(cell: int, left: int, cells: int) -> int:
    """Return the bit of a cell in a block: first those among which choices are, then the others."""
    if left >> cell & 1:
        return place_bit(cell, left)
    return place_bit(cell, ~left) << cells


@inlined
def _near(mask: int, lines: Longs, count: int, near: Longs) -> int:
    """Write the lines of which a side lacks one cell at most; return how many."""
    number_near = 0
    for number in range(count):
        missing = lines[number] & ~mask
        if missing & missing - 1 == 0:
            near[number_near] = lines[number]
            number_near += 1
    return number_near


@inlined
def _completing(mask: int, lines: Longs, count: int) -> int:
    """Return the cells with which a side completes a line, whether or not they are empty."""
    cells = 0
    for number in range(count):
        missing = lines[number] & ~mask
        if missing & missing - 1 == 0:
            cells |= missing
    return cells


@inlined
def _can_be_last(mine: int, theirs: int, cells: Longs) -> bool:
    """Return whether the last mark, and then the one before, can be on top of a column."""
    is_last: bool = theirs == 0 or theirs & cells[_TOPS] != 0
    return is_last and (mine == 0 or mine & (cells[_TOPS] | cells[_BELOW]) != 0)


@inlined
def _soon(mine: int, theirs: int, free: int, above: Longs, rules: Rules) -> int:
    """Return the mover's value where the game ends within two plies, else `OPEN`.

    ``mine`` and ``theirs`` are the cells with which the sides complete lines, those of the mover
    among the ``free`` ones.
    """
    if mine and (mine == free or not rules.misere):
        return 1 - FAR if rules.misere else FAR - 1
    value = 2 - FAR if theirs and free and not rules.misere else int(OPEN)
    moves = free & ~mine if theirs else 0
    while moves:
        move = moves & -moves
        moves ^= move
        replies = free ^ move | above[count_bits(move - 1)]
        if rules.misere and replies and replies & ~theirs == 0:
            return FAR - 2
        if not rules.misere and replies & theirs == 0:
            return int(OPEN)
    return value
