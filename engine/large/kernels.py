"""Compiled steps over the rows of a ply: what follows for each from its neighbours.

A row is a block and a choice in it, as `engine.large.index` numbers them; cells are in its order of
places. A move leads from a row to a row of the next ply, and it moves all choices of a block in the
same way: their marks change places, and one may be added. A *link* says this for a block and one of
its neighbours. So the same kernels do for all games, with gravity and without, and both ways.

Choices are gone through in *runs*: those that agree in all but the lowest places. Where a link
leaves these places as they are, a run leads to a run, and no choice of it is looked at by itself.

All kernels are in one module, because Numba's cache does not notice that another module has
changed. They release the interpreter lock, so threads may run them on ranges of rows.
"""

from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.compiled import compiled, count_bits, inlined, shifted
from marubatsu.engine.large.tables import (
    LOW,
    PIECE,
    SYMMETRY,
    WORD,
    Ints,
    Links,
    Neighbours,
    Ply,
    Reached,
    Remainders,
    Rules,
    Words,
)
from marubatsu.engine.large.values import FAR, NULL, Values

Near = Neighbours | Reached

_LOW_BITS = (1 << LOW) - 1
_PIECE_BITS = (1 << PIECE) - 1

# What is known of a link from a block to a neighbour, and so of all its choices: the number of the
# neighbour; which place of a choice decides whether it has this neighbour, as a bit, and what must
# be there; the mark that is added, as a bit; the same if it goes below the others; and the kind.
_BLOCK, _ASKED, _GIVEN, _FRESH, _LOW_FRESH, _KIND = range(6)

_STRAIGHT = 0  # Runs lead to runs, in the same order.
_APART = 1  # The lowest places stay below the others.
_MIXED = 2


@inlined
def _rank(choice: int, ranks: Ints) -> int:
    """Return the number of a choice."""
    rank: int = ranks[0, 0, choice & _PIECE_BITS]
    marks = 0
    for piece in range(1, ranks.shape[0]):
        marks += count_bits(choice & _PIECE_BITS)
        choice >>= PIECE
        rank += ranks[piece, marks, choice & _PIECE_BITS]
    return rank


@inlined
def _choice(rank: int, cells: int, chosen: int, ranks: Ints) -> int:
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
def _left(block: int, rules: Rules) -> int:
    """Return the cells among which the choices of a block are made."""
    return block if rules.gravity else ~block & (1 << rules.cells) - 1


@inlined
def _mask_image(mask: int, image: Ints) -> int:
    """Return the image of a mask under a symmetry."""
    goal = 0
    for cell in range(image.size):
        if mask >> cell & 1:
            goal |= 1 << image[cell]
    return goal


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
    """Return whether a block has a neighbour by a mark on a cell, set or taken back."""
    bit = 1 << cell
    if not rules.gravity:
        return (block & bit != 0) == (is_circle and not forward)
    y = cell % rules.rows
    if forward:
        return block & bit == 0 and (y == rules.rows - 1 or block & bit << 1 != 0)
    return block & bit != 0 and (y == 0 or block & bit >> 1 == 0)


@inlined
def _goal_block(block: int, cell: int, is_circle: bool, rules: Rules) -> int:
    """Return what a block becomes by a mark on a cell, set or taken back."""
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
def _room(cells: int) -> Links:
    """Return room for the links of a block."""
    return Links(
        np.empty((cells, 6), np.int64),
        np.zeros((cells, 8, 256), np.int64),
        np.empty((cells, 256), np.int32),
    )


@compiled
def _link(block: int, ply: Ply, forward: bool, rules: Rules, links: Links) -> int:
    """Describe the links of a block to the ply after it, or to the one before; return how many."""
    known, images, low_ranks = links
    is_circle = (ply.number % 2 == 0) == forward  # Whose mark is set, or taken back.
    is_chosen = is_circle == rules.gravity  # Whether choices are of this side's marks.
    left = _left(block, rules)
    goals = np.empty(rules.cells, np.int64)  # [place of a choice]: where its mark goes, as a bit
    count = 0
    for cell in range(rules.cells):
        if not _leads(block, cell, is_circle, forward, rules):
            continue
        goal = _goal_block(block, cell, is_circle, rules)
        place = _place(goal, rules)
        image = rules.images[place & (1 << SYMMETRY) - 1]
        left_there = _left(_mask_image(goal, image), rules)
        marks, asked = _aim(left, left_there, cell, image, goals)
        fresh = _bit_of(image[cell], left_there) if is_chosen and forward else 0
        kind, low_fresh = _kind(goals[:marks], asked, fresh)
        known[count, _BLOCK], known[count, _KIND] = place >> SYMMETRY, kind
        known[count, _ASKED] = asked
        known[count, _GIVEN] = asked if is_chosen and not forward else 0
        known[count, _FRESH], known[count, _LOW_FRESH] = fresh, low_fresh
        for first in range(0, marks, 8):
            _combine(goals[first : min(first + 8, marks)], images[count, first // 8])
        if kind == _APART:
            for number, content in enumerate(ply.lows):
                choice = images[count, 0, content] | low_fresh
                low_ranks[count, number] = _rank(choice, rules.ranks)
        count += 1
    return count


@inlined
def _bit_of(cell: int, left: int) -> int:
    """Return the place of a cell among those that are left, as a bit."""
    return 1 << count_bits(left & (1 << cell) - 1)


@compiled
def _aim(left: int, left_there: int, cell: int, image: Ints, goals: Ints) -> tuple[int, int]:
    """Write where the marks of a choice go by a link, as bits; a mark on ``cell`` goes nowhere.

    Return how many places there are, and the place of ``cell`` as a bit, or 0.
    """
    place = asked = 0
    for each in range(image.size):
        if left >> each & 1:
            goals[place] = _bit_of(image[each], left_there)
            if each == cell:
                asked, goals[place] = 1 << place, 0
            place += 1
    return place, asked


@compiled
def _kind(goals: Ints, asked: int, fresh: int) -> tuple[int, int]:
    """Return the kind of a link, and the added mark if it goes below others, as a bit."""
    straight = asked & _LOW_BITS == 0 and (fresh == 0 or fresh > _LOW_BITS)
    lowest, highest = 0, 1 << 62
    for place, goal in enumerate(goals):
        if place < LOW:
            straight &= goal == 1 << place
            lowest = max(lowest, goal)
        elif goal:
            highest = min(highest, goal)
    if straight:
        return _STRAIGHT, 0
    if lowest < highest:
        return _APART, fresh if fresh < highest else 0
    return _MIXED, 0


@inlined
def _combine(goals: Ints, images: Ints) -> None:
    """Write where the marks of every content of a byte go."""
    images[0] = 0
    for content in range(1, 1 << goals.size):
        lowest = content & -content
        images[content] = images[content ^ lowest] | goals[count_bits(lowest - 1)]


@inlined
def _high_image(high: int, link: int, images: Ints) -> int:
    """Return where the marks above the lowest places go by a link."""
    image, byte = 0, 1
    while high >> 8 * byte:
        image |= images[link, byte, high >> 8 * byte & 255]
        byte += 1
    return image


@inlined
def _joined(one: int, other: int, adds: bool) -> int:
    return one + other if adds else min(one, other)


@inlined
def _given(high: int, link: int, links: Links) -> bool:
    """Return whether a run has a link: whether the place that decides it is as it must be.

    One of the lowest places decides for each row by itself.
    """
    asked = links.known[link, _ASKED]
    has: bool = asked <= _LOW_BITS or high & asked == links.known[link, _GIVEN]
    return has


@inlined
def _aimed(
    high: int, number: int, link: int, links: Links, near: Near, lows: Ints, ranks: Ints
) -> tuple[int, int]:
    """Return the row from which a link counts the neighbours of a run, and the image of ``high``.

    ``number`` is that of the run's first row in ``lows``.
    """
    known = links.known
    image: int = known[link, _FRESH] | _high_image(high, link, links.images)
    begin: int = near.first_rows[known[link, _BLOCK]]
    if known[link, _KIND] == _STRAIGHT:
        begin += _rank(image | lows[number], ranks) - number
    elif known[link, _KIND] == _APART:
        low_fresh, given = known[link, _LOW_FRESH], known[link, _GIVEN] & _LOW_BITS
        marks = count_bits(lows[number]) + (low_fresh != 0) - (given != 0)
        begin += _rank(image ^ low_fresh | (1 << marks) - 1, ranks)
    return begin, image


@inlined
def _neighbour(
    number: int, link: int, begin: int, image: int, links: Links, lows: Ints, ranks: Ints
) -> int:
    """Return the neighbour of the row of a run that has a number in ``lows``, by a link."""
    kind = links.known[link, _KIND]
    if kind == _STRAIGHT:
        return begin + number
    if kind == _APART:
        number = links.low_ranks[link, number]
        return begin + number
    return begin + _rank(image | links.images[link, 0, lows[number]], ranks)


@compiled
def _follow(
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
    known, images, low_ranks = links
    values = near.values
    for link in range(linked):
        if not _given(high, link, links):
            continue
        begin, image = _aimed(high, first, link, links, near, lows, ranks)
        asked, given = known[link, _ASKED] & _LOW_BITS, known[link, _GIVEN] & _LOW_BITS
        kind = known[link, _KIND]
        if kind == _STRAIGHT:
            for i in range(count):
                out[at + i] = _joined(out[at + i], values[begin + first + i], adds)
        elif kind == _APART:
            for i in range(count):
                if asked == 0 or lows[first + i] & asked == given:
                    there = begin + low_ranks[link, first + i]
                    out[at + i] = _joined(out[at + i], values[there], adds)
        else:
            for i in range(count):
                low = lows[first + i]
                if low & asked == given:
                    there = begin + _rank(image | images[link, 0, low], ranks)
                    out[at + i] = _joined(out[at + i], values[there], adds)


@inlined
def _behind(value: int) -> int:
    """Return the mover's value of a move, from the value of the row to which it leads."""
    return -value - (value < 0) + (value > 0)


@compiled
def _compact(block: int, rules: Rules, compact: Ints) -> int:
    """Write the lines among the cells that are left, as places of a choice; return how many."""
    left = _left(block, rules)
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
def _common(mask: int, lines: Ints, count: int) -> int:
    """Return the cells that those of some lines share that a side has; -1 when it has none."""
    common = -1
    for number in range(count):
        if mask & lines[number] == lines[number]:
            common &= lines[number]
    return common


@numba.njit(nogil=True)  # One from the cache could not be called by what is compiled anew.
def _runs(ply: Ply, start: int, stop: int, ranks: Ints) -> Iterator[tuple[int, int, int, int]]:
    """Yield the runs of some rows of a block, of those from ``start`` to before ``stop``.

    Each is the part of its choices that is the same, the first of its lowest places in `Ply.lows`,
    its number of rows, and the first of them.
    """
    high = _choice(start, ply.cells, ply.chosen, ranks) & ~_LOW_BITS
    at = _rank(high | (1 << ply.chosen - count_bits(high)) - 1, ranks)
    while at < stop:
        marks = ply.chosen - count_bits(high)
        if 0 <= marks < ply.starts.size - 1:
            size = ply.starts[marks + 1] - ply.starts[marks]
            cut = max(start - at, 0)
            yield high, ply.starts[marks] + cut, min(stop - at, size) - cut, at + cut
            at += size
        high += 1 << LOW


@inlined
def _alive(high: int, lines: Ints, count: int, alive: Ints) -> int:
    """Write the lines that a run may have, where a choice has the marks; return how many."""
    found = 0
    for number in range(count):
        if (high | _LOW_BITS) & lines[number] == lines[number]:
            alive[found] = lines[number]
            found += 1
    return found


@inlined
def _bits(words: Words, first: int, count: int) -> int:
    """Return some bits, 64 at most, as a word."""
    word, place = first >> 6, first & 63
    found = shifted(words[word], place)
    if place + count > 64:
        found |= words[word + 1] << 64 - place
    return found if count == 64 else found & (1 << count) - 1


@inlined
def _any_near(words: Words, first: int) -> bool:
    """Return whether a bit is set where a run whose low places stay below the others can lead.

    These are `LOW` places, or one more, so the rows are less than two words.
    """
    word = first >> 6
    found: int = words[word]
    for more in range(word + 1, min(word + 3, words.size)):
        found |= words[more]
    return found != 0


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
    links = _room(rules.cells)
    compact, alive = np.empty_like(lines), np.empty_like(lines)
    is_waiting = ply.number % 2 == 0  # Whether choices are of the side that waits.
    end = FAR if rules.misere else -FAR
    out[:] = NULL
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        block = ply.blocks[number]
        shared = _common(block, lines, lines.size)
        if shared == 0 or (shared != -1 and is_waiting):
            continue
        goes_on = shared == -1 and after.first_rows.size > 0
        linked = 0
        if goes_on:
            linked = _link(block, ply, True, rules, links)
        own_lines = _compact(block, rules, compact)
        for high, low, count, row in _runs(
            ply, max(first - base, 0), min(last - base, ply.size), ranks
        ):
            goal = base + row - first
            _follow(high, low, count, linked, links, after, lows, ranks, False, out, goal)
            here = _alive(high, compact, own_lines, alive)
            for i in range(goal, goal + count):
                found = _common(high | lows[low + i - goal], alive, here)
                if found != -1:
                    out[i] = end if is_waiting and found else NULL
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
    links = _room(rules.cells)
    words[:] = 0
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        linked = _link(ply.blocks[number], ply, False, rules, links)
        for high, low, count, row in _runs(
            ply, max(first - base, 0), min(last - base, ply.size), ranks
        ):
            for link in range(linked):
                if not _given(high, link, links):
                    continue
                begin, image = _aimed(high, low, link, links, before, lows, ranks)
                known = links.known[link]
                asked, given = known[_ASKED] & _LOW_BITS, known[_GIVEN] & _LOW_BITS
                if known[_KIND] == _APART and not _any_near(before.words, begin):
                    continue
                for part in range(low, low + count, 64):
                    size = min(64, low + count - part)
                    found = 0
                    if known[_KIND] == _STRAIGHT:
                        found = _bits(before.words, begin + part, size)
                    else:
                        for i in range(size):
                            if lows[part + i] & asked == given:
                                there = _neighbour(part + i, link, begin, image, links, lows, ranks)
                                bit = shifted(before.words[there >> 6], there & 63) & 1
                                found |= bit << i
                    _set_bits(words, base + row - first + part - low, size, found)


@compiled
def go_on(ply: Ply, first: int, last: int, rules: Rules, words: Words) -> None:
    """Clear the bits of the rows from ``first`` on where a game with gravity has ended."""
    lows = ply.lows
    compact, alive = np.empty_like(rules.lines), np.empty_like(rules.lines)
    flip = (1 << ply.cells) - 1 if ply.number % 2 == 0 else 0  # The marks that wait are the others.
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        own_lines = _compact(ply.blocks[number], rules, compact)
        for high, low, count, row in _runs(
            ply, max(first - base, 0), min(last - base, ply.size), rules.ranks
        ):
            here = _alive(high ^ flip, compact, own_lines, alive)
            for part in range(low, low + count if here else low, WORD):
                first_bit, size = base + row - first + part - low, min(WORD, low + count - part)
                left = _bits(words, first_bit, size)
                while left:
                    lowest = left & -left
                    left ^= lowest
                    place = count_bits(lowest - 1)
                    if _common((high | lows[part + place]) ^ flip, alive, here) != -1:
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
    """Write the links that a run has, and what `_aimed` tells of each; return how many it has."""
    used = 0
    for link in range(linked):
        if _given(high, link, links):
            aims[used, 0] = link
            aims[used, 1], aims[used, 2] = _aimed(high, number, link, links, after, lows, ranks)
            used += 1
    return used


@inlined
def _least(
    number: int, used: int, aims: Ints, links: Links, after: Reached, lows: Ints, ranks: Ints
) -> int:
    """Return the least value of the neighbours of one row of a run, for the side to move there.

    ``number`` is that of its lowest places in ``lows``; `_aim_all` told the links of the run.
    """
    least = int(NULL)
    for each in range(used):
        link, begin, image = aims[each, 0], aims[each, 1], aims[each, 2]
        asked = links.known[link, _ASKED] & _LOW_BITS
        if lows[number] & asked == links.known[link, _GIVEN] & _LOW_BITS:
            there = _neighbour(number, link, begin, image, links, lows, ranks)
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
    links = _room(rules.cells)
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
            linked = _link(block, ply, True, rules, links)
        own_lines = _compact(block, rules, compact)
        for high, low, count, row in _runs(
            ply, max(first - base, 0), min(last - base, ply.size), ranks
        ):
            here = used = -1
            for part in range(low, low + count, WORD):
                size = min(WORD, low + count - part)
                left = _bits(words, base + row - first + part - low, size)
                if left and used < 0:
                    here = _alive(high ^ flip, compact, own_lines, alive)
                    used = _aim_all(high, low, linked, links, after, lows, ranks, aims)
                while left:
                    lowest = left & -left
                    left ^= lowest
                    at = part + count_bits(lowest - 1)
                    content = lows[at]
                    if _common((high | content) ^ flip, alive, here) != -1:
                        out[filled] = end
                    elif after.first_rows.size == 0:
                        out[filled] = 0
                    else:
                        least = _least(at, used, aims, links, after, lows, ranks)
                        out[filled] = _behind(least)
                    filled += 1


@compiled
def count_lines(
    ply: Ply, first: int, last: int, rules: Rules, before: Neighbours, out: Remainders
) -> None:
    """Count the lines of play that lead to the position that each row shows.

    ``before`` has the same for the ply before, 0 where the game has ended; or remainders of it.
    """
    ranks, lows = rules.ranks, ply.lows
    links = _room(rules.cells)
    out[:] = 0
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        linked = _link(ply.blocks[number], ply, False, rules, links)
        for high, low, count, row in _runs(
            ply, max(first - base, 0), min(last - base, ply.size), ranks
        ):
            goal = base + row - first
            _follow(high, low, count, linked, links, before, lows, ranks, True, out, goal)


@compiled
def _own_images(ply: Ply, number: int, rules: Rules, images: Ints) -> int:
    """Write where the symmetries that keep a block as it is lead choices; return how many do.

    ``images`` is by symmetry, byte of a choice, and content; the identity is left out.
    """
    block = ply.blocks[number]
    left = _left(block, rules)
    goals = np.empty(ply.cells, np.int64)
    count = 0
    for symmetry in range(1, rules.images.shape[0]):
        image = rules.images[symmetry]
        if _mask_image(block, image) == block:
            _aim(left, left, -1, image, goals)
            for first in range(0, ply.cells, 8):
                _combine(goals[first : first + 8], images[count, first // 8])
            count += 1
    return count


@inlined
def _next_choice(choice: int) -> int:
    """Return the choice with the next number: the next greater mask with as many bits."""
    lowest = choice & -choice
    carried = choice + lowest
    return carried | (carried ^ choice) >> count_bits(lowest - 1) + 2


@inlined
def _own_image(choice: int, number: int, images: Ints) -> int:
    """Return where a symmetry leads a choice."""
    goal: int = images[number, 0, choice & 255] | _high_image(choice, number, images)
    return goal


@inlined
def _members(choice: int, count: int, images: Ints, symmetries: int) -> int:
    """Return the number of members of the class that a choice shows; 0 if a smaller one does.

    ``count`` and ``images`` are what `_own_images` found out about the block.
    """
    same = 1
    for number in range(count):
        goal = _own_image(choice, number, images)
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
    images = np.zeros((symmetries, 8, 256), np.int64)
    seen = np.zeros((4, 256), np.int64)  # Four, so that one row need not wait for the one before.
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        count = _own_images(ply, number, rules, images)
        start, stop = max(first, base) - first, min(last, base + ply.size) - first
        if not count:
            for row in range(start, stop):
                seen[row & 3, 128 + values[row]] += 1
            continue
        choice = _choice(first + start - base, ply.cells, ply.chosen, rules.ranks)
        for row in range(start, stop):
            if values[row] != NULL:
                members = _members(choice, count, images, symmetries)
                if members:
                    counts[0, 128 + values[row]] += 1
                    counts[1, 128 + values[row]] += members
                else:
                    values[row] = NULL
            choice = _next_choice(choice)
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
        shared = _common(ply.blocks[number], rules.lines, rules.lines.size)
        own_lines = _compact(ply.blocks[number], rules, compact)
        start, stop = max(first, base), min(last, base + ply.size)
        choice = _choice(start - base, ply.cells, ply.chosen, rules.ranks)
        for row in range(start - first, stop - first):
            if abs(values[row]) == FAR:
                common = shared if ply.number % 2 else _common(choice, compact, own_lines)
                out[row] = count_bits(common)
            choice = _next_choice(choice)


@compiled
def sum_lines(
    ply: Ply,
    first: int,
    last: int,
    rules: Rules,
    values: Values,
    lines: Remainders,
    sums: Ints,
) -> None:
    """Add up the lines of play to the members of the classes that rows show, by value.

    ``values`` and ``lines`` are those of the rows from ``first`` to before ``last``; ``sums`` is
    [128 + value].
    """
    symmetries = rules.images.shape[0]
    images = np.zeros((symmetries, 8, 256), np.int64)
    for number in range(first // ply.size, (last - 1) // ply.size + 1):
        base = number * ply.size
        count = _own_images(ply, number, rules, images)
        start, stop = max(first, base) - first, min(last, base + ply.size) - first
        choice = _choice(first + start - base, ply.cells, ply.chosen, rules.ranks)
        for row in range(start, stop):
            if values[row] != NULL:
                members = _members(choice, count, images, symmetries)
                sums[128 + values[row]] += members * np.int64(lines[row])
            choice = _next_choice(choice)


@compiled
def show_again(ply: Ply, first: int, last: int, rules: Rules, values: Values) -> None:
    """Give all rows that show a class its value, from the one that was kept.

    ``values`` are those of the rows from ``first`` to before ``last``, which are whole blocks.
    """
    images = np.zeros((rules.images.shape[0], 8, 256), np.int64)
    for number in range(first // ply.size, last // ply.size):
        base = number * ply.size - first
        count = _own_images(ply, number, rules, images)
        # Kept rows are the smallest of their classes: downward, no other row has its value yet.
        for row in range(ply.size - 1 if count else -1, -1, -1):
            if values[base + row] != NULL:
                choice = _choice(row, ply.cells, ply.chosen, rules.ranks)
                for image in range(count):
                    there = _rank(_own_image(choice, image, images), rules.ranks)
                    values[base + there] = values[base + row]
