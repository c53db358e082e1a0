"""The pass over the rows of a ply of a game without gravity, compiled: their values.

They follow from those of the rows of the next ply. The kernel releases the interpreter lock, so
threads may run it on ranges of rows.

It takes some runs of a block, and for each link all of them. The innermost loops use unsigned
numbers as indices: with others Numba looks whether they count from the end.
"""

import numpy as np

from marubatsu.engine.large.arrays import PIECE, WORD, Halves, Links, Lows, Neighbours, Ply, Rules
from marubatsu.engine.large.compiled import compiled, count_bits, inlined, lower_8, lower_32
from marubatsu.engine.large.links import (
    APART,
    BLOCK,
    CONDITION,
    FIRST,
    HIGH,
    KIND,
    MARKS,
    MIXED,
    ROW,
    SIZE,
    SLOT,
    STRAIGHT,
    common_cells,
    has_link,
    image_of,
    lines_of_block,
    lines_of_run,
    link_block,
    next_runs,
    room_for_lines,
    room_for_links,
    room_for_runs,
    rows_with,
)
from marubatsu.engine.large.values import FAR, NULL, Values, value_before
from marubatsu.engine.rules.masks import Longs

behind = inlined(value_before)


@compiled
def evaluate(ply: Ply, first: int, last: int, rules: Rules, after: Neighbours, out: Values) -> None:
    """Write the values of whole blocks from those of the next ply, in games without gravity.

    A row shows a position that play can reach when the side to move has no line, and either the
    other side has none, or one of its marks, the last one, is on all of them.
    """
    ranks, lows = rules.ranks, ply.lows
    is_waiting = ply.number % 2 == 0  # Whether choices are of the side that waits.
    end = FAR if rules.misere else -FAR
    ended = end if is_waiting else int(NULL)
    links, runs, lines = room_for_links(rules.cells), room_for_runs(), room_for_lines(rules)
    low_ranks, high_ranks = _halves(ply.chosen if is_waiting else ply.chosen + 1, rules)
    out[:] = NULL
    for number in range(first // ply.size, last // ply.size):
        block = ply.blocks[number]
        shared = common_cells(block, rules.lines, rules.lines.size)
        if shared == 0 or (shared != -1 and is_waiting):
            continue
        linked = -1
        if shared == -1 and after.first_rows.size > 0:
            linked = link_block(block, ply, True, rules, links)
        lines_of_block(block, rules, lines)
        begin, start = number * ply.size - first, 0
        while start < ply.size:
            count, stop = next_runs(ply, start, ply.size, ranks, runs)
            for link in range(linked):
                _follow(runs[:count], link, links, after, lows, low_ranks, high_ranks, out[begin:])
            for i in range(begin + start, begin + stop):
                if linked >= 0:
                    out[i] = behind(out[i])
                else:
                    out[i] = 0 if shared == -1 else end
            _end(runs[:count], lines, lows, ended, out[begin:])
            start = stop


@compiled
def _end(runs: Longs, lines: Longs, lows: Lows, end: int, out: Values) -> None:
    """Write the values of the rows of runs whose choices have a line of the block.

    That is ``end`` where one mark is on all of them, or else `NULL`. ``out`` has the rows of the
    block.
    """
    rows, here = np.empty(2, np.int64), lines[2, 2:]
    for run in runs:
        if not lines_of_run(run[HIGH], lines):
            continue
        rows_with(lines, run[MARKS], lows.holding[0], rows)
        for part in range(2):
            left = rows[part]
            while left:
                row = part * WORD + count_bits((left & -left) - 1)
                left &= left - 1
                choice = run[HIGH] | lows.contents[run[FIRST] + row]
                out[run[ROW] + row] = end if common_cells(choice, here, lines[2, 0]) else NULL


@compiled
def _halves(chosen: int, rules: Rules) -> tuple[Halves, Halves]:
    """Return what the low and the high half of a choice without gravity add to its number."""
    ranks = rules.ranks
    low = ranks[0, 0].astype(np.uint32)
    high = np.zeros(1 << max(rules.cells - PIECE, 0), np.uint32)
    for content in range(high.size):
        below, left = chosen - count_bits(content), content if count_bits(content) <= chosen else 0
        while left:
            place = PIECE + count_bits((left & -left) - 1)
            high[content] += ranks[place // PIECE, below, 1 << place % PIECE]
            left &= left - 1
            below += 1
    return low, high


@compiled
def _follow(
    runs: Longs, link: int, links: Links, after: Neighbours, lows: Lows, low_ranks: Halves,
    high_ranks: Halves, out: Values,
) -> None:  # fmt: skip
    """Lower the values of rows to those of their neighbours by a link.

    ``out`` has the rows of the block.
    """
    values, kind = after.values, links.facts[link, KIND]
    origin = after.first_rows[links.facts[link, BLOCK]]
    condition, slot = links.facts[link, CONDITION], links.facts[link, SLOT]
    low_half = np.uint64((1 << PIECE) - 1)
    for each in range(len(runs)):
        high, marks, number = runs[each, HIGH], runs[each, MARKS], np.uint64(runs[each, FIRST])
        if not has_link(high, link, links):
            continue
        image = np.uint64(image_of(high, marks, link, links))
        begin = np.uint64(origin)
        if kind != MIXED:
            begin += low_ranks[image & low_half] + high_ranks[image >> np.uint64(PIECE)]
        if kind == STRAIGHT:
            _lower(out, runs[each, ROW], values, int(begin), runs[each, SIZE])
            continue
        row = np.uint64(runs[each, ROW])
        for order in range(lows.counts[condition, marks]):
            i = lows.fitting[condition, marks, order]
            if kind == APART:
                there = begin + links.low_ranks[slot, number + i]
            else:
                choice = image | np.uint64(links.low_images[link, number + i])
                there = begin + (
                    low_ranks[choice & low_half] + high_ranks[choice >> np.uint64(PIECE)]
                )
            out[row + i] = min(out[row + i], values[there])


@inlined
def _lower(out: Values, row: int, values: Values, begin: int, count: int) -> None:
    """Lower each of some values to one of others, where that is less.

    Many are compared at a time. The last ones may be among those before: nothing changes them.
    """
    if count >= 32:
        for i in range(0, count - 32, 32):
            lower_32(out, row + i, values, begin + i)
        lower_32(out, row + count - 32, values, begin + count - 32)
    elif count >= 8:
        for i in range(0, count - 8, 8):
            lower_8(out, row + i, values, begin + i)
        lower_8(out, row + count - 8, values, begin + count - 8)
    else:
        for i in range(count):
            out[row + i] = min(out[row + i], values[begin + i])
