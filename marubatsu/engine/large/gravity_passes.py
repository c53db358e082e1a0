"""The passes over the rows of a ply of a game with gravity, compiled.

Play reaches few of the rows. The ply before shows which ones, and only they have values,
which follow from those of the ply after. The kernels release the interpreter lock, so threads may
run them on ranges of rows. They go through the rows as `engine.large.passes` does.
"""

import numpy as np

from marubatsu.engine.large.arrays import (
    WORD,
    Bytes,
    Links,
    Lows,
    Ply,
    Reached,
    Rules,
    Words,
    unpacked,
)
from marubatsu.engine.large.compiled import compiled, count_bits, inlined, shifted
from marubatsu.engine.large.links import (
    APART,
    BLOCK,
    CONDITION,
    COUNT,
    CUT,
    FIRST,
    HIGH,
    KIND,
    MARKS,
    MIXED,
    NO_ROW,
    ROW,
    RUNS,
    SIZE,
    SLOT,
    STRAIGHT,
    has_link,
    image_of,
    lines_of_block,
    lines_of_run,
    link_block,
    next_runs,
    rank_of,
    room_for_lines,
    room_for_links,
    room_for_runs,
    rows_with,
)
from marubatsu.engine.large.passes import behind
from marubatsu.engine.large.values import FAR, NULL, Values
from marubatsu.engine.rules.masks import Longs


@compiled
def reach(ply: Ply, first: int, last: int, rules: Rules, before: Reached, words: Words) -> None:
    """Find the rows of a game with gravity that play reaches from those of the ply before.

    ``before`` has the rows from which the game goes on; their values are not looked at. ``words``
    gets a bit for each row from ``first`` on.
    """
    links, runs = room_for_links(rules.cells), room_for_runs()
    found = np.empty((RUNS, 2), np.int64)
    words[:] = 0
    if ply.number == 0:
        words[0] = 1  # The empty board.
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        start, end = max(first - base, 0), min(last - base, ply.size)
        linked = link_block(ply.blocks[number], ply, False, rules, links)
        while start < end:
            count, start = next_runs(ply, start, end, rules.ranks, runs)
            found[:count] = 0
            for link in range(linked):
                _reach_by(runs[:count], link, links, before, ply.lows, rules.ranks, found)
            for each in range(count):
                _add_rows(words, base - first, runs[each], found[each])


@compiled
def _reach_by(
    runs: Longs, link: int, links: Links, before: Reached, lows: Lows, ranks: Longs, found: Words
) -> None:
    """Set a bit for each row of runs that a link connects with a row of the ply before."""
    kind, slot = links.facts[link, KIND], links.facts[link, SLOT]
    condition = links.facts[link, CONDITION]
    origin = before.first_rows[links.facts[link, BLOCK]]
    near = np.empty(2, np.int64)
    for each in range(len(runs)):
        high, marks = runs[each, HIGH], runs[each, MARKS]
        if not has_link(high, link, links):
            continue
        image = image_of(high, marks, link, links)
        if kind == MIXED:
            for order in range(lows.counts[condition, marks]):
                i = np.int64(lows.fitting[condition, marks, order])
                choice = image | links.low_images[link, runs[each, FIRST] + i]
                there = np.uint64(origin + rank_of(choice, ranks))
                bit = shifted(before.words[there >> np.uint64(6)], np.int64(there & np.uint64(63)))
                found[each, i >> 6] |= (bit & 1) << (i & 63)
            continue
        begin = origin + rank_of(image, ranks)
        if kind == STRAIGHT:
            _read_bits(before.words, begin, runs[each, SIZE], near)
            found[each, 0] |= near[0]
            found[each, 1] |= near[1]
        else:
            _read_bits(before.words, begin, min(2 * WORD, before.words.size * WORD - begin), near)
            _add_each(near, links.sources[slot, marks], found[each])


@inlined
def _add_each(near: Words, sources: Bytes, bits: Words) -> None:
    """Set the bit of the row to which each bit near belongs, if any."""
    for part in range(2):
        left = near[part]
        while left:
            row = sources[part * WORD + count_bits((left & -left) - 1)]
            left &= left - 1
            if row != NO_ROW:
                bits[row >> 6] |= 1 << (row & 63)


@compiled
def go_on(ply: Ply, first: int, last: int, rules: Rules, words: Words) -> None:
    """Clear the bits of the rows from ``first`` on where a game with gravity has ended."""
    runs = room_for_runs()
    lines = room_for_lines(rules)
    bits, ended = np.empty(2, np.int64), np.empty(2, np.int64)
    other, flip = _waits(ply)
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        start, end = max(first - base, 0), min(last - base, ply.size)
        lines_of_block(ply.blocks[number], rules, lines)
        while start < end:
            count, start = next_runs(ply, start, end, rules.ranks, runs)
            for run in runs[:count]:
                if not lines_of_run(run[HIGH] ^ flip, lines):
                    continue
                _rows_of_run(words, base - first, run, bits)
                rows_with(lines, run[MARKS], ply.lows.holding[other], ended)
                for part in range(2):
                    left = bits[part] & ended[part]
                    while left:
                        row = part * WORD + count_bits((left & -left) - 1)
                        left &= left - 1
                        at = base - first + run[ROW] + row
                        words[at >> 6] &= ~(1 << (at & 63))


@inlined
def _waits(ply: Ply) -> tuple[int, int]:
    """Return whether choices are of the side to move, with gravity, and the places to exchange.

    The side that waits then has the other places.
    """
    return (1, (1 << ply.cells) - 1) if ply.number % 2 == 0 else (0, 0)


@compiled
def evaluate_reached(
    ply: Ply, first: int, last: int, rules: Rules, after: Reached, words: Words, out: Values
) -> None:
    """Write the values of the rows that play reaches in a game with gravity, and no others.

    ``words`` has a bit for each row from ``first`` on, and ``out`` gets a value for each bit set.
    """
    links, runs, lines = room_for_links(rules.cells), room_for_runs(), room_for_lines(rules)
    most = RUNS * ply.lows.fitting.shape[2]
    numbers, places = np.empty(most, np.uint8), np.empty(most, np.uint64)
    least, starts = np.empty(most, np.int8), np.zeros(RUNS + 1, np.int64)
    filled = 0
    out[:] = FAR if rules.misere else -FAR
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        start, end = max(first - base, 0), min(last - base, ply.size)
        block = ply.blocks[number]
        linked = link_block(block, ply, True, rules, links) if after.first_rows.size else 0
        lines_of_block(block, rules, lines)
        while start < end:
            count, start = next_runs(ply, start, end, rules.ranks, runs)
            filled = _list_rows(
                runs[:count], words, base - first, ply, lines, filled, starts, numbers, places
            )
            going_on = starts[count]
            least[:going_on] = NULL
            for link in range(linked):
                _follow_reached(
                    runs[:count], starts, numbers, link, links, after, rules.ranks, least
                )
            for each in range(going_on):
                out[places[each]] = behind(least[each]) if linked else 0


def values_of_rows(
    ply: Ply, first: int, last: int, rules: Rules, after: Reached, words: Words
) -> Values:
    """Return what `evaluate_reached` writes, and NULL for each row that play does not reach."""
    reached = unpacked(words, last - first)
    found = np.empty(np.count_nonzero(reached), np.int8)
    evaluate_reached(ply, first, last, rules, after, words, found)
    values = np.full(reached.size, NULL)
    values[reached] = found
    return values


@compiled
def _list_rows(
    runs: Longs, words: Words, begin: int, ply: Ply, lines: Longs, filled: int, starts: Longs,
    numbers: Bytes, places: Words,
) -> int:  # fmt: skip
    """List the rows of runs that play reaches and from which the game goes on.

    Write where those of each run start, the number of each row's lowest places, and the place of
    its value. ``filled`` values are before; return how many are after the runs. ``begin`` is the
    bit of the block's first row.
    """
    bits, ended = np.empty(2, np.int64), np.empty(2, np.int64)
    other, flip = _waits(ply)
    listed = 0
    for each in range(len(runs)):
        run = runs[each]
        _rows_of_run(words, begin, run, bits)
        if bits[0] | bits[1]:
            lines_of_run(run[HIGH] ^ flip, lines)
            rows_with(lines, run[MARKS], ply.lows.holding[other], ended)
            for part in range(2):
                left = bits[part]
                while left:
                    lowest = left & -left
                    left ^= lowest
                    numbers[listed] = run[FIRST] + part * WORD + count_bits(lowest - 1)
                    places[listed] = filled
                    listed += ended[part] & lowest == 0
                    filled += 1
        starts[each + 1] = listed
    return filled


@compiled
def _follow_reached(
    runs: Longs, starts: Longs, numbers: Bytes, link: int, links: Links, after: Reached,
    ranks: Longs, least: Values,
) -> None:  # fmt: skip
    """Lower the values of rows to those of their neighbours by a link, which each row has.

    The rows of a run are those from its start to the next one, with the numbers of their contents.
    """
    kind, slot = links.facts[link, KIND], links.facts[link, SLOT]
    origin = after.first_rows[links.facts[link, BLOCK]]
    for each in range(len(runs)):
        first, last = starts[each], starts[each + 1]
        if first == last:
            continue
        image = image_of(runs[each, HIGH], runs[each, MARKS], link, links)
        begin = np.uint64(origin)
        if kind != MIXED:
            begin += np.uint64(rank_of(image, ranks))
        for row in range(first, last):
            number = numbers[row]
            if kind == STRAIGHT:
                there = begin + (number - np.uint64(runs[each, FIRST]))
            elif kind == APART:
                there = begin + links.low_ranks[slot, number]
            else:
                choice = image | links.low_images[link, number]
                there = begin + np.uint64(rank_of(choice, ranks))
            least[row] = min(least[row], _value(after, there))


@inlined
def _value(after: Reached, row: int) -> int:
    word = row >> np.uint64(6)
    below = after.words[word] & (1 << np.int64(row & np.uint64(63))) - 1
    value: int = after.values[np.uint64(after.ranks[word] + count_bits(below))]
    return value


@inlined
def _bits_of(words: Words, first: int, count: int) -> int:
    """Return some bits, 64 at most, as a word."""
    word, place = first >> 6, first & 63
    bits = shifted(words[word], place)
    if place + count > 64:
        bits |= words[word + 1] << 64 - place
    return bits if count >= 64 else bits & (1 << count) - 1


@inlined
def _read_bits(words: Words, first: int, count: int, bits: Words) -> None:
    """Write some bits, 128 at most, as two words."""
    bits[0] = _bits_of(words, first, min(count, WORD))
    bits[1] = _bits_of(words, first + WORD, count - WORD) if count > WORD else 0


@inlined
def _rows_of_run(words: Words, begin: int, run: Longs, bits: Words) -> None:
    """Write the bits of the rows of a run that are asked for; ``begin`` is the one of its block.

    A run has less than two words of rows.
    """
    cut = run[CUT]
    _read_bits(words, begin + run[ROW] + cut, run[COUNT], bits)
    if cut >= WORD:
        bits[0], bits[1] = 0, bits[0] << cut - WORD
    elif cut:
        bits[0], bits[1] = bits[0] << cut, bits[1] << cut | shifted(bits[0], WORD - cut)


@inlined
def _add_rows(words: Words, begin: int, run: Longs, bits: Words) -> None:
    """Set the bits of the rows of a run that are asked for, where those of two words are set."""
    for part in range(2):
        low = max(run[CUT] - part * WORD, 0)
        count = min(run[CUT] + run[COUNT] - part * WORD, WORD) - low
        if low < WORD and count > 0:
            some = shifted(bits[part], low)
            some = some if count == WORD else some & (1 << count) - 1
            first = begin + run[ROW] + part * WORD + low
            word, place = first >> 6, first & 63
            words[word] |= some << place
            if place + count > WORD:
                words[word + 1] |= shifted(some, WORD - place)
