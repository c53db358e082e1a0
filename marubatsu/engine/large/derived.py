"""What the rules alone say of a row, compiled: most values, and which rows have none.

::

    finished           the side that waits has a line
    ends in one ply    the mover can complete a line; in misère each of its moves completes one
    ends in two plies  after each move the other side can complete a line; in misère there is a
                       move after which each of its moves completes one
    no value           a smaller row shows the class, or play cannot reach the position

All rows of a block have a choice among the same cells. So these cells are the lowest bits of masks
here, in their order, and the other cells follow: a choice is the mask of a side as it is.
"""

import numpy as np

from marubatsu.engine.large.arrays import Ints, Ply, Rules
from marubatsu.engine.large.class_counts import members_of, own_images, room_for_images
from marubatsu.engine.large.compiled import compiled, count_bits, inlined
from marubatsu.engine.large.links import (
    COUNT,
    CUT,
    FIRST,
    HIGH,
    LOW_BITS,
    ROW,
    cells_left,
    common_cells,
    next_runs,
    place_bit,
    room_for_runs,
)
from marubatsu.engine.large.values import FAR, NULL, Values

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
def _describe(block: int, ply: Ply, rules: Rules, lines: Ints, cells: Ints, above: Ints) -> int:
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
def _near(mask: int, lines: Ints, count: int, near: Ints) -> int:
    """Write the lines of which a side lacks one cell at most; return how many."""
    number_near = 0
    for number in range(count):
        missing = lines[number] & ~mask
        if missing & missing - 1 == 0:
            near[number_near] = lines[number]
            number_near += 1
    return number_near


@inlined
def _completing(mask: int, lines: Ints, count: int) -> int:
    """Return the cells with which a side completes a line, whether or not they are empty."""
    cells = 0
    for number in range(count):
        missing = lines[number] & ~mask
        if missing & missing - 1 == 0:
            cells |= missing
    return cells


@inlined
def _can_be_last(mine: int, theirs: int, cells: Ints) -> bool:
    """Return whether the last mark, and then the one before, can be on top of a column."""
    is_last: bool = theirs == 0 or theirs & cells[_TOPS] != 0
    return is_last and (mine == 0 or mine & (cells[_TOPS] | cells[_BELOW]) != 0)


@inlined
def _soon(mine: int, theirs: int, free: int, above: Ints, rules: Rules) -> int:
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
