"""The passes over the rows of a ply, compiled: which rows play reaches, and their values.

The rows before a ply tell which of its rows play reaches; the rows after it tell their values. The
kernels release the interpreter lock, so threads may run them on ranges of rows.
"""

import numpy as np

from marubatsu.engine.large.choices import (
    LOW_BITS,
    alive_lines,
    common_cells,
    compact_lines,
    runs,
)
from marubatsu.engine.large.compiled import compiled, count_bits, inlined, shifted
from marubatsu.engine.large.links import (
    APART,
    ASKED,
    GIVEN,
    KIND,
    STRAIGHT,
    aimed,
    follow,
    has_link,
    link_block,
    neighbour,
    room_for_links,
)
from marubatsu.engine.large.tables import (
    WORD,
    Ints,
    Links,
    Neighbours,
    Ply,
    Reached,
    Rules,
    Words,
)
from marubatsu.engine.large.values import FAR, NULL, Values


@inlined
def _behind(value: int) -> int:
    """Return the mover's value of a move, from the value of the row to which it leads."""
    return -value - (value < 0) + (value > 0)


@inlined
def _bits(words: Words, first: int, count: int) -> int:
    """Return some bits, 64 at most, as a word."""
    word, place = first >> 6, first & 63
    bits = shifted(words[word], place)
    if place + count > 64:
        bits |= words[word + 1] << 64 - place
    return bits if count == 64 else bits & (1 << count) - 1


@inlined
def _any_near(words: Words, first: int) -> bool:
    """Return whether a bit is set where a run whose low places stay below the others can lead.

    These are `LOW` places, or one more, so the rows are less than two words.
    """
    word = first >> 6
    bits: int = words[word]
    for more in range(word + 1, min(word + 3, words.size)):
        bits |= words[more]
    return bits != 0


@inlined
def _set_bits(words: Words, first: int, count: int, bits: int) -> None:
    """Set some bits, 64 at most, where those of a word are set."""
    word, place = first >> 6, first & 63
    words[word] |= bits << place
    if place + count > 64:
        words[word + 1] |= shifted(bits, 64 - place)


@compiled
def evaluate(ply: Ply, first: int, last: int, rules: Rules, after: Neighbours, out: Values) -> None:
    """Write the values of rows from those of the next ply, in games without gravity.

    A row shows a position that play can reach when the side to move has no line, and either the
    other side has none, or one of its marks, the last one, is on all of them.
    """
    lines, ranks, lows = rules.lines, rules.ranks, ply.lows
    links = room_for_links(rules.cells)
    compact, alive = np.empty_like(lines), np.empty_like(lines)
    is_waiting = ply.number % 2 == 0  # Whether choices are of the side that waits.
    end = FAR if rules.misere else -FAR
    out[:] = NULL
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        block = ply.blocks[number]
        shared = common_cells(block, lines, lines.size)
        if shared == 0 or (shared != -1 and is_waiting):
            continue
        goes_on = shared == -1 and after.first_rows.size > 0
        linked = 0
        if goes_on:
            linked = link_block(block, ply, True, rules, links)
        own_lines = compact_lines(block, rules, compact)
        for high, low, count, row in runs(
            ply, max(first - base, 0), min(last - base, ply.size), ranks
        ):
            goal = base + row - first
            follow(high, low, count, linked, links, after, lows, ranks, False, out, goal)
            here = alive_lines(high, compact, own_lines, alive)
            for i in range(goal, goal + count):
                common = common_cells(high | lows[low + i - goal], alive, here)
                if common != -1:
                    out[i] = end if is_waiting and common else NULL
                elif goes_on:
                    out[i] = _behind(out[i])
                else:
                    out[i] = 0 if shared == -1 else end


@compiled
def reach(ply: Ply, first: int, last: int, rules: Rules, before: Reached, words: Words) -> None:
    """Find the rows of a game with gravity that play reaches from those of the ply before.

    ``before`` has the rows from which the game goes on; their values are not looked at. ``words``
    gets a bit for each row from ``first`` on.
    """
    lows, ranks = ply.lows, rules.ranks
    links = room_for_links(rules.cells)
    words[:] = 0
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        linked = link_block(ply.blocks[number], ply, False, rules, links)
        for high, low, count, row in runs(
            ply, max(first - base, 0), min(last - base, ply.size), ranks
        ):
            for link in range(linked):
                if not has_link(high, link, links):
                    continue
                begin, image = aimed(high, low, link, links, before, lows, ranks)
                facts = links.facts[link]
                asked, given = facts[ASKED] & LOW_BITS, facts[GIVEN] & LOW_BITS
                if facts[KIND] == APART and not _any_near(before.words, begin):
                    continue
                for part in range(low, low + count, 64):
                    size = min(64, low + count - part)
                    bits = 0
                    if facts[KIND] == STRAIGHT:
                        bits = _bits(before.words, begin + part, size)
                    else:
                        for i in range(size):
                            if lows[part + i] & asked == given:
                                there = neighbour(part + i, link, begin, image, links, lows, ranks)
                                bit = shifted(before.words[there >> 6], there & 63) & 1
                                bits |= bit << i
                    _set_bits(words, base + row - first + part - low, size, bits)


@compiled
def go_on(ply: Ply, first: int, last: int, rules: Rules, words: Words) -> None:
    """Clear the bits of the rows from ``first`` on where a game with gravity has ended."""
    lows = ply.lows
    compact, alive = np.empty_like(rules.lines), np.empty_like(rules.lines)
    flip = (1 << ply.cells) - 1 if ply.number % 2 == 0 else 0  # The marks that wait are the others.
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        own_lines = compact_lines(ply.blocks[number], rules, compact)
        for high, low, count, row in runs(
            ply, max(first - base, 0), min(last - base, ply.size), rules.ranks
        ):
            here = alive_lines(high ^ flip, compact, own_lines, alive)
            for part in range(low, low + count if here else low, WORD):
                first_bit, size = base + row - first + part - low, min(WORD, low + count - part)
                left = _bits(words, first_bit, size)
                while left:
                    lowest = left & -left
                    left ^= lowest
                    place = count_bits(lowest - 1)
                    if common_cells((high | lows[part + place]) ^ flip, alive, here) != -1:
                        at = first_bit + place
                        words[at >> 6] &= ~(1 << (at & 63))


@inlined
def _aim_all(
    high: int,
    number: int,
    linked: int,
    links: Links,
    after: Reached,
    lows: Ints,
    ranks: Ints,
    aims: Ints,
) -> int:
    """Write the links that a run has, and `aimed` for each; return how many it has."""
    used = 0
    for link in range(linked):
        if has_link(high, link, links):
            aims[used, 0] = link
            aims[used, 1], aims[used, 2] = aimed(high, number, link, links, after, lows, ranks)
            used += 1
    return used


@inlined
def _least(
    number: int, used: int, aims: Ints, links: Links, after: Reached, lows: Ints, ranks: Ints
) -> int:
    """Return the least value of the neighbours of one row of a run, for the side to move there.

    ``number`` is that of its lowest places in ``lows``; `_aim_all` prepares the links of the run.
    """
    least = int(NULL)
    for each in range(used):
        link, begin, image = aims[each, 0], aims[each, 1], aims[each, 2]
        asked = links.facts[link, ASKED] & LOW_BITS
        if lows[number] & asked == links.facts[link, GIVEN] & LOW_BITS:
            there = neighbour(number, link, begin, image, links, lows, ranks)
            below = after.words[there >> 6] & (1 << (there & 63)) - 1
            value: int = after.values[after.ranks[there >> 6] + count_bits(below)]
            least = min(least, value)
    return least


@compiled
def evaluate_reached(
    ply: Ply, first: int, last: int, rules: Rules, after: Reached, words: Words, out: Values
) -> None:
    """Write the values of the rows that play reaches in a game with gravity, and no others.

    ``words`` has a bit for each row from ``first`` on, and ``out`` gets a value for each bit set.
    """
    lows, ranks = ply.lows, rules.ranks
    links = room_for_links(rules.cells)
    compact, alive = np.empty_like(rules.lines), np.empty_like(rules.lines)
    aims = np.empty((rules.cells, 3), np.int64)
    flip = (1 << ply.cells) - 1 if ply.number % 2 == 0 else 0  # The marks that wait are the others.
    end = FAR if rules.misere else -FAR
    filled = 0
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        block = ply.blocks[number]
        linked = 0
        if after.first_rows.size:
            linked = link_block(block, ply, True, rules, links)
        own_lines = compact_lines(block, rules, compact)
        for high, low, count, row in runs(
            ply, max(first - base, 0), min(last - base, ply.size), ranks
        ):
            here = used = -1
            for part in range(low, low + count, WORD):
                size = min(WORD, low + count - part)
                left = _bits(words, base + row - first + part - low, size)
                if left and used < 0:
                    here = alive_lines(high ^ flip, compact, own_lines, alive)
                    used = _aim_all(high, low, linked, links, after, lows, ranks, aims)
                while left:
                    lowest = left & -left
                    left ^= lowest
                    at = part + count_bits(lowest - 1)
                    content = lows[at]
                    if common_cells((high | content) ^ flip, alive, here) != -1:
                        out[filled] = end
                    elif after.first_rows.size == 0:
                        out[filled] = 0
                    else:
                        least = _least(at, used, aims, links, after, lows, ranks)
                        out[filled] = _behind(least)
                    filled += 1
