"""Alpha-beta search of a position to the end of the game, compiled; it can stop and go on.

A value says who wins and when: with `cells` cells, ``cells + 1 - e`` when the side to move wins
with the mark number e, ``e - cells - 1`` when it loses so, and 0 for a draw. It does not depend on
where the search began, so a value of the table is right for all searches of a game.

An entry of the table is one word that says all by itself, so threads may share the table without
locks: what two of them write at once loses entries, and never makes a wrong one.

`static_bounds` bounds a value without a search. `search` does the rest, with its own
stack: it returns after a given number of nodes, and goes on when it is called again. Each technique
can be left out; the values stay the same.
"""

import mmap
import sys
from typing import NamedTuple

import numpy as np

from marubatsu.engine.kernels.exact_layout import ExactTechniques, Layout, Lines, SearchBoard
from marubatsu.engine.kernels.static_bounds import (
    Node,
    ended,
    has_line,
    look,
    threats_by_steps,
    threats_of,
    worth,
)
from marubatsu.engine.large.compiled import MULTIPLIER, compiled, count_bits, inlined, prefetch
from marubatsu.engine.rules.masks import Longs

_LEAST_TABLE = 18
"""The binary logarithm of the entries of a table of 2 MB: the system gives that much at once."""

# Columns of a child, and of a frame: the position where its forced moves end, bounds of its value,
# whether that is the parent's value (1) or its negative (-1), and its hash, 0 until it is known.
_MOVER, _OTHER, _OWN, _THREATS, _PLY, _LOW, _HIGH, _SIGN, _HASH = range(9)
_POSITION = 9
# More columns of a frame: the window, the bound so far, and what is next.
_ALPHA, _BETA, _BEST, _NEXT, _COUNT, _DEFERRED = range(_POSITION, _POSITION + 6)
_FIELDS = _POSITION + 6

# What the head of a stack says: the depth, whether a value has come back, that value, the nodes.
_DEPTH, _RETURNS, RESULT, NODES = range(4)

_FAR = 127  # more than any value
_BOUND = 7  # bits of a bound in an entry of the table; then come 6 of the ply
_TAG_BITS = 64 - 2 * _BOUND - 6  # the others: bits of the hash that do not choose the place
_TAG = -1 << 64 - _TAG_BITS
_LATE = 8  # Marks before the end from which on children are not looked up.
_ALONE = 14  # The same for threads: so late, they do not look at what others search.
_BUSY = 40  # bits of a hash below those that choose a place among the busy ones

NO_THREADS = np.zeros(0, np.int64)
"""The busy positions of a search in one thread."""


class Stack(NamedTuple):
    """A search that has stopped, or has not begun."""

    head: Longs
    frames: Longs  # [depth, column]
    children: Longs  # [depth, number, column]
    order: Longs  # [depth, place]: numbers of children, the most promising first
    busy: Longs  # hashes of positions that threads search now; a power of two, or none


def new_table(size: int) -> Longs:
    """Return an empty table with 2 ** ``size`` entries of 8 bytes.

    Its memory is its own and goes back to the system with it; the C library would keep it.
    """
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    memory = mmap.mmap(-1, 8 << size, flags=private)
    if sys.platform == "linux":
        memory.madvise(mmap.MADV_HUGEPAGE)  # A search reads all over it.
    return np.frombuffer(memory, np.int64)


def least_table(layout: Layout) -> int:
    """Return the binary logarithm of the least size of a table: with less, entries are ambiguous.

    The place of a pair of entries, and the tag of one of them, give all bits of its hash.
    """
    return max(_LEAST_TABLE, layout.board.key - _TAG_BITS + 1)


def new_stack(layout: Layout, busy: Longs) -> Stack:
    """Return room for a search; threads of one search share what is busy."""
    cells = layout.board.cells
    most = len(layout.groups)
    return Stack(
        head=np.zeros(4, np.int64),
        frames=np.zeros((cells + 2, _FIELDS), np.int64),
        children=np.zeros((cells + 2, most, _POSITION), np.int64),
        order=np.zeros((cells + 2, most), np.int64),
        busy=busy,
    )


@compiled
def _look_at_lines(
    node: Node, board: SearchBoard, lines: Longs, use: ExactTechniques
) -> tuple[int, int]:
    """Return bounds of a position without gravity, also where lines are complete or blocked."""
    mover, other = node.mover, node.other
    _, low, high = worth(node, board, use)
    if not use.threats and has_line(other, lines):
        low = high = ended(board.cells - node.ply, board)
    if use.blocked and low < high:
        wins, loses = (mover, other) if board.misere else (other, mover)
        if high > 0 and not has_line(board.full & ~wins, lines):
            high = max(low, 0)
        if low < 0 and not has_line(board.full & ~loses, lines):
            low = min(high, 0)
    return low, high


@compiled
def _hash_of_columns(
    mover: int, other: int, ply: int, board: SearchBoard, use: ExactTechniques
) -> int:
    """Return the hash of a position with gravity; in the first half, that of its class.

    No two have the same key, and to multiply by an odd number permutes keys. They are the upper
    bits of a hash; the rest is 0.
    """
    key = mover + (mover | other)
    if use.symmetry and 2 * ply < board.cells:
        image, rest = 0, key
        for _ in range(board.columns):
            image = image << board.column | rest & (1 << board.column) - 1
            rest >>= board.column
        key = min(key, image)
    return key * MULTIPLIER << 64 - board.key


@compiled
def _hash_of_cells(
    mover: int, other: int, ply: int, board: SearchBoard, images: Longs, use: ExactTechniques
) -> int:
    """Return the hash of a position without gravity, as `_hash_of_columns` does with it."""
    key = mover | other << board.cells
    is_early = use.symmetry and 2 * ply < board.cells
    for number in range(images.shape[0] if is_early else 0):
        goal = 0
        for byte in range(4):
            goal |= images[number, byte, mover >> 8 * byte & 255]
            goal |= images[number, byte, other >> 8 * byte & 255] << board.cells
        key = min(key, goal)
    return key * MULTIPLIER << 64 - board.key


@inlined
def _completing(marks: int, lines: Longs) -> int:
    """Return the cells that are the only ones missing in a line."""
    completing = 0
    for line in lines:
        missing = line & ~marks
        if missing & (missing - 1) == 0:
            completing |= missing
    return completing


@inlined
def _known(table: Longs, bits: int, hashed: int, low: int, high: int) -> tuple[int, int]:
    """Return bounds of a position, closer where one of its two entries is about it.

    An entry that is empty says nothing: its bounds are the farthest.
    """
    first, tag = (hashed >> 64 - bits & (1 << bits) - 1) << 1, hashed << bits
    one = table[first]
    entry = one if one & _TAG == tag else table[first + 1]
    if entry & _TAG == tag:
        low = max(low, (entry >> _BOUND & 127) - 64)
        high = min(high, 64 - (entry & 127))
    return low, high


@inlined
def _best_known(
    children: Longs, depth: int, count: int, table: Longs, bits: int, best: int, beta: int
) -> int:
    """Return a lower bound of the parent of children that the table knows, from ``best`` on."""
    child = 0
    while child < count and best < beta:
        low, high = children[depth, child, _LOW], children[depth, child, _HIGH]
        low, high = _known(table, bits, children[depth, child, _HASH], low, high)
        best = max(best, low if children[depth, child, _SIGN] > 0 else -high)
        child += 1
    return best


@inlined
def _remember(table: Longs, bits: int, hashed: int, ply: int, low: int, high: int) -> None:
    """Write bounds: the first entry is for early plies, the second for the latest position."""
    first, tag = (hashed >> 64 - bits & (1 << bits) - 1) << 1, hashed << bits
    entry = tag | ply << 2 * _BOUND | low + 64 << _BOUND | 64 - high
    there = table[first]
    if there and there & _TAG != tag:
        is_earlier = ply <= there >> 2 * _BOUND & 63
        table[first + 1] = there if is_earlier else entry
        entry = entry if is_earlier else there
    table[first] = entry


@compiled
def copy_table(table: Longs, larger: Longs) -> None:
    """Copy the entries of a table into a larger one, which is empty."""
    bits, more = count_bits(table.size - 2), count_bits(larger.size - 2)
    for number in range(table.size):
        entry = table[number]
        if entry:
            tag = entry & _TAG
            added = tag >> 64 - more + bits & (1 << more - bits) - 1
            first = (number >> 1 << more - bits | added) << 1
            first += larger[first] != 0
            larger[first] = tag << more - bits | entry & ~_TAG


def begin(
    mover: int, other: int, ply: int, alpha: int, beta: int, layout: Layout, stack: Stack
) -> None:
    """Prepare to search a position, given by the masks of the side to move and of the other."""
    board, left = layout.board, layout.board.cells - ply
    empty = board.full & ~(mover | other)
    own, threats = (int(threats_of(side, layout)) & empty for side in (mover, other))
    # The first frame is a parent whose only child is the position.
    stack.children[0, 0] = mover, other, own, threats, ply, -left, left, 1, 0
    stack.order[0, 0] = 0
    frame = stack.frames[0]
    frame[_ALPHA], frame[_BETA], frame[_BEST] = alpha, beta, -_FAR
    frame[_NEXT], frame[_COUNT] = 0, 1
    stack.head[_DEPTH], stack.head[_RETURNS] = 0, False


@inlined
def _promise(completing: int, later: int, board: SearchBoard) -> int:
    """Rate a move: what it threatens at once counts twice, and where forced moves end once."""
    promise = count_bits(completing)
    return -promise if board.misere else 2 * promise + count_bits(later)


@inlined
def _insert(promise: int, child: int, promises: Longs, order: Longs, depth: int) -> None:
    """Put a child among those before it, the most promising first."""
    place = child
    while place and promise > promises[place - 1]:
        promises[place], order[depth, place] = promises[place - 1], order[depth, place - 1]
        place -= 1
    promises[place], order[depth, place] = promise, child


@inlined
def _put_last(order: Longs, depth: int, number: int, count: int) -> None:
    """Put a child behind those that are left."""
    child = order[depth, number]
    for place in range(number + 1, count):
        order[depth, place - 1] = order[depth, place]
    order[depth, count - 1] = child


@inlined
def _enter(
    frames: Longs,
    depth: int,
    children: Longs,
    child: int,
    low: int,
    high: int,
    alpha: int,
    beta: int,
) -> None:
    """Make a child of the frame above the next frame; the window is that of its parent."""
    for column in range(_POSITION):
        frames[depth, column] = children[depth - 1, child, column]
    frames[depth, _LOW], frames[depth, _HIGH] = low, high
    lower, upper = (alpha, beta) if frames[depth, _SIGN] > 0 else (-beta, -alpha)
    frames[depth, _ALPHA] = max(lower, low)
    frames[depth, _BETA] = min(upper, high)


@compiled
def search(
    board: SearchBoard,
    groups: Longs,
    lines: Lines | None,
    use: ExactTechniques,
    stack: Stack,
    table: Longs,
    budget: int,
) -> bool:
    """Go on with a search for ``budget`` nodes at most; return whether it is done.

    Then `Stack.head` has the value where that lies inside of the window, a lower bound where it
    lies above, and an upper bound where it lies below. A node is a position whose moves are made;
    those that a look or the table settles are none.

    Threads that search the same position, each with a stack of its own, share the table and what is
    busy: a move that another thread searches waits until the others are done.

    What reads or writes arrays for every node is here or inlined: to call a function with arrays,
    references to them are counted, which took two fifths of the time.
    """
    head, frames, children, order, busy = stack
    promises = np.empty(groups.size, np.int64)  # of the moves of one position
    bits = count_bits(table.size - 2)
    depth, result, nodes = head[_DEPTH], head[RESULT], 0
    returns = head[_RETURNS] != 0
    shares = use.table and busy.size > 0
    while True:
        best = frames[depth, _BEST]
        if returns:
            best = max(best, frames[depth + 1, _SIGN] * result)
        elif depth:
            if nodes == budget:
                break
            nodes += 1
            mover, other = frames[depth, _MOVER], frames[depth, _OTHER]
            own, threats, here = frames[depth, _OWN], frames[depth, _THREATS], frames[depth, _PLY]
            node = Node(mover, other, own, threats, here)
            alpha, beta = frames[depth, _ALPHA], frames[depth, _BETA]
            moves, low, _ = worth(node, board, use)
            empty = board.full & ~(mover | other)
            best, count = max(low, frames[depth, _LOW]), 0
            for group in range(groups.size):
                move = moves & groups[group]
                if not move:
                    continue
                if lines is None:
                    completing = threats_by_steps(mover | move, board.steps)
                else:
                    completing = own | _completing(mover | move, lines.through[group])
                completing &= empty & ~move
                seen = Node(other, mover | move, threats & ~move, completing, here + 1)
                if lines is None:
                    seen, low, high, sign = look(seen, -beta, -max(alpha, best), board, use)
                    sign = -sign
                else:
                    low, high = _look_at_lines(seen, board, lines.all, use)
                    sign = -1
                least, most = (low, high) if sign > 0 else (-high, -low)
                best = max(best, least)
                if best >= beta:
                    break
                if most <= max(alpha, best):
                    best = max(best, most)
                    continue
                hashed = 0
                if lines is None and use.table:
                    hashed = _hash_of_columns(seen.mover, seen.other, seen.ply, board, use)
                    prefetch(table, (hashed >> 64 - bits & (1 << bits) - 1) << 1)
                for column in range(_LOW):
                    children[depth, count, column] = seen[column]
                children[depth, count, _LOW], children[depth, count, _HIGH] = low, high
                children[depth, count, _SIGN], children[depth, count, _HASH] = sign, hashed
                if use.ordering:
                    later = seen.own if sign > 0 else seen.threats
                    promise = _promise(completing, later, board)
                    _insert(promise, count, promises, order, depth)
                else:
                    order[depth, count] = count
                count += 1
            if lines is None and use.cutoffs and use.table and here < board.cells - _LATE:
                best = _best_known(children, depth, count, table, bits, best, beta)
            frames[depth, _DEFERRED] = 0
            frames[depth, _NEXT], frames[depth, _COUNT] = 0, count
        alpha, beta = frames[depth, _ALPHA], frames[depth, _BETA]
        number, count = frames[depth, _NEXT], frames[depth, _COUNT]
        is_settled = True
        while is_settled and number < count and best < beta:
            child = order[depth, number]
            number += 1
            low, high = children[depth, child, _LOW], children[depth, child, _HIGH]
            sign = children[depth, child, _SIGN]
            if use.table:
                hashed, here = children[depth, child, _HASH], children[depth, child, _PLY]
                if hashed == 0:
                    mover, other = children[depth, child, _MOVER], children[depth, child, _OTHER]
                    if lines is None:
                        hashed = _hash_of_columns(mover, other, here, board, use)
                    else:
                        hashed = _hash_of_cells(mover, other, here, board, lines.images, use)
                    children[depth, child, _HASH] = hashed
                low, high = _known(table, bits, hashed, low, high)
            least, most = (low, high) if sign > 0 else (-high, -low)
            best = max(best, least)
            alpha = max(alpha, best)
            is_settled = best >= beta or most <= alpha
            if is_settled:
                best = max(best, most) if best < beta else best
            elif (
                shares
                and here + _ALONE <= board.cells
                and 1 < number < count - frames[depth, _DEFERRED]
                and busy[hashed >> _BUSY & busy.size - 1] == hashed
            ):  # Another thread searches it: put it behind those that are left.
                is_settled = True
                number -= 1
                _put_last(order, depth, number, count)
                frames[depth, _DEFERRED] += 1
            else:
                if shares and here + _ALONE <= board.cells:
                    busy[hashed >> _BUSY & busy.size - 1] = hashed
                _enter(frames, depth + 1, children, child, low, high, alpha, beta)
        frames[depth, _NEXT], frames[depth, _BEST] = number, best
        returns = is_settled
        if not returns:
            depth += 1
            continue
        result = best
        if depth == 0:
            break
        if use.table:
            low, high = frames[depth, _LOW], frames[depth, _HIGH]
            low, high = (best, high) if best >= beta else (low, best)
            hashed = frames[depth, _HASH]
            if shares and busy[hashed >> _BUSY & busy.size - 1] == hashed:
                busy[hashed >> _BUSY & busy.size - 1] = 0
            _remember(table, bits, hashed, frames[depth, _PLY], low, high)
        depth -= 1
    head[_DEPTH], head[_RETURNS], head[RESULT] = depth, returns, result
    head[NODES] += nodes
    return bool(returns)
