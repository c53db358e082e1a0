"""Alpha-beta search of a position to the end of the game, compiled; it can stop and go on.

A value says who wins and when: with `cells` cells, ``cells + 1 - e`` when the side to move wins
with the mark number e, ``e - cells - 1`` when it loses so, and 0 for a draw. It does not depend on
where the search began, so a value of the table is right for all searches of a game.

`_look` tells what a position shows without a search: bounds of its value, and the moves worth it.
`search` does the rest, with its own stack: it returns after a given number of nodes, and goes on
when it is called again. Each technique can be left out; the values stay the same.
"""

import mmap
import sys
from typing import NamedTuple

import numpy as np

from marubatsu.engine.kernels.exact_layout import Ints, Layout, SearchBoard
from marubatsu.engine.kernels.line_tables import (
    has_line,
    has_line_by_steps,
    threats_by_steps,
    threats_of,
)
from marubatsu.engine.large.compiled import MULTIPLIER, compiled, count_bits, inlined

Look = tuple[int, int, int]

MIN_TABLE = 21
"""The least binary logarithm of the entries of a table: with fewer, entries would be ambiguous."""


class Techniques(NamedTuple):
    """The techniques of the search; each can be switched off."""

    window: bool = True  # ask whether a value is at least some number, instead of for the value
    table: bool = True  # remember bounds of values
    ordering: bool = True  # first the moves after which most cells would complete a line
    threats: bool = True  # see a line that the next mark completes, instead of setting it
    forced: bool = True  # answer threats, and leave out moves that allow a line at once
    blocked: bool = True  # see that a side can complete no line any more
    symmetry: bool = True  # remember one position of each class
    cutoffs: bool = True  # with gravity: look all children up before the first is searched


# Columns of a frame: the position, the window, the bounds so far, and which move is next.
_MOVER, _OTHER, _OWN, _THREATS, _ALPHA, _BETA, _LOW, _HIGH, _BEST, _HASH, _NEXT, _COUNT = range(12)
_FIELDS = 12

# What the head of a stack says: the depth, whether a value has come back, that value, the nodes.
_DEPTH, _RETURNS, RESULT, NODES = range(4)
_BEFORE = -1  # the depth of a search that has not begun

_BOUND = 7  # bits of a bound in an entry of the table; then come 6 of the ply, and the tag
_TAG = 2 * _BOUND + 6
_LATE = 10  # Marks before the end from which on neither classes nor children are looked up.


class Stack(NamedTuple):
    """A search that has stopped, or has not begun."""

    head: Ints
    frames: Ints
    moves: Ints  # [depth, number]
    after: Ints  # [depth, number]: the threats of the mover after the move


def new_table(size: int) -> Ints:
    """Return an empty table with 2 ** ``size`` entries of 8 bytes.

    Its memory is its own and goes back to the system with it; the C library would keep it.
    """
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    memory = mmap.mmap(-1, 8 << max(size, MIN_TABLE), flags=private)
    if sys.platform == "linux":
        memory.madvise(mmap.MADV_HUGEPAGE)  # A search reads all over it.
    return np.frombuffer(memory, np.int64)


def new_stack(layout: Layout) -> Stack:
    """Return room for a search."""
    cells = layout.board.cells
    shapes = (4,), (cells + 2, _FIELDS), (cells + 2, cells), (cells + 2, cells)
    return Stack(*(np.zeros(shape, np.int64) for shape in shapes))


@compiled
def _look_misere(playable: int, own: int, left: int) -> Look:
    """Look at a position of a game whose lines lose: a mark that completes one is the last."""
    moves = playable & ~own
    if not moves:
        return 0, -left, -left
    return moves, -max(left - 2, 0), max(left - 1, 0)


@compiled
def _look_normal(
    playable: int, own: int, threats: int, left: int, board: SearchBoard, use: Techniques
) -> Look:
    """Look at a position of a game whose lines win."""
    if own & playable:
        return 0, left, left
    moves, low = playable, -max(left - 1, 0)
    if use.forced:
        low = -max(left - 3, 0)
        danger = threats & playable
        if danger:
            moves = danger
        if board.gravity:  # A mark below a threat makes it playable.
            moves &= ~(threats >> 1)
        if playable and (not moves or danger & (danger - 1)):
            return 0, 1 - left, 1 - left
    return moves, low, max(left - 2, 0)


@compiled
def _look(
    mover: int, other: int, own: int, threats: int, ply: int, board: SearchBoard, use: Techniques
) -> Look:
    """Return the moves worth a search, and bounds of the value; equal bounds need no search.

    ``own`` and ``threats`` are the cells that complete a line of the mover, and of the other side.
    """
    playable, left = board.full & ~(mover | other), board.cells - ply
    if board.gravity:
        playable &= (mover | other) + board.floor
    if not use.threats:
        moves, low, high = playable, -left * (playable != 0), left * (playable != 0)
    elif board.misere:
        moves, low, high = _look_misere(playable, own, left)
    else:
        moves, low, high = _look_normal(playable, own, threats, left, board, use)
    if board.gravity and not use.threats and has_line_by_steps(other, board):
        low = high = _ended(left, board)
    if board.gravity and use.blocked and low < high:
        wins, loses = (mover, other) if board.misere else (other, mover)
        if high > 0 and not has_line_by_steps(board.full & ~wins, board):
            high = max(low, 0)
        if low < 0 and not has_line_by_steps(board.full & ~loses, board):
            low = min(high, 0)
    return moves, low, high


@compiled
def _look_at_lines(
    mover: int,
    other: int,
    ply: int,
    low: int,
    high: int,
    board: SearchBoard,
    lines: Ints,
    use: Techniques,
) -> tuple[int, int]:
    """Return bounds that are closer where lines are complete or blocked, without gravity."""
    if not use.threats and has_line(other, lines):
        low = high = _ended(board.cells - ply, board)
    if use.blocked and low < high:
        wins, loses = (mover, other) if board.misere else (other, mover)
        if high > 0 and not has_line(board.full & ~wins, lines):
            high = max(low, 0)
        if low < 0 and not has_line(board.full & ~loses, lines):
            low = min(high, 0)
    return low, high


@inlined
def _ended(left: int, board: SearchBoard) -> int:
    """Return the value of a position in which the last mark has completed a line."""
    return left + 1 if board.misere else -left - 1


@compiled
def _key_of_columns(mover: int, other: int, board: SearchBoard, symmetry: bool) -> int:
    """Return a key of a position with gravity, or of its class: no two have the same."""
    key = mover + (mover | other)
    if symmetry:
        image, rest, column = 0, key, board.column
        for _ in range(board.columns):
            image = image << column | rest & (1 << column) - 1
            rest >>= column
        key = min(key, image)
    return key


@compiled
def _key_of_cells(mover: int, other: int, board: SearchBoard, images: Ints, symmetry: bool) -> int:
    """Return a key of a position without gravity, or of its class: no two have the same."""
    key = mover | other << board.cells
    for number in range(images.shape[0] if symmetry else 0):
        goal = 0
        for byte in range(4):
            goal |= images[number, byte, mover >> 8 * byte & 255]
            goal |= images[number, byte, other >> 8 * byte & 255] << board.cells
        key = min(key, goal)
    return key


@inlined
def _narrowed(entry: int, tag: int, low: int, high: int) -> tuple[int, int]:
    """Return bounds, closer where an entry of the table is about the position."""
    same = entry != 0 and entry >> _TAG & (1 << 64 - _TAG) - 1 == tag
    known_low, known_high = (entry >> _BOUND & 127) - 64, (entry & 127) - 64
    return (max(low, known_low), min(high, known_high)) if same else (low, high)


@compiled
def copy_table(table: Ints, larger: Ints) -> None:
    """Copy the entries of a table into a larger one, which is empty."""
    bits, more = count_bits(table.size - 2), count_bits(larger.size - 2)
    rest = (1 << _TAG) - 1
    for number in range(table.size):
        entry = table[number]
        if entry:
            hashed = number >> 1 << 64 - bits | entry >> _TAG & (1 << 64 - bits) - 1
            first = (hashed >> 64 - more & (1 << more) - 1) << 1
            tag = hashed & (1 << 64 - more) - 1
            larger[first + (larger[first] != 0)] = tag << _TAG | entry & rest


def begin(mover: int, other: int, alpha: int, beta: int, stack: Stack) -> None:
    """Prepare to search a position, given by the masks of the side to move and of the other."""
    frame = stack.frames[0]
    frame[_MOVER], frame[_OTHER], frame[_ALPHA], frame[_BETA] = mover, other, alpha, beta
    stack.head[_DEPTH], stack.head[_RETURNS] = _BEFORE, False


@compiled
def search(
    ply: int, layout: Layout, use: Techniques, stack: Stack, table: Ints, budget: int
) -> bool:
    """Go on with a search for ``budget`` nodes at most; return whether it is done.

    ``ply`` is that of the first position. Then `Stack.head` has its value where that lies inside of
    the window, a lower bound where it lies above, and an upper bound where it lies below.

    What reads or writes arrays for every node is in this one function: to call another with them,
    references to them are counted, which took two fifths of the time.
    """
    board, groups, lines, through, images = layout
    head, frames, moves, after = stack
    promises = np.empty(board.cells, np.int64)  # of the moves of one position
    bits = count_bits(table.size - 2)
    tag_bits, buckets = (1 << 64 - bits) - 1, (1 << bits) - 1
    depth, result, nodes = head[_DEPTH], head[RESULT], 0
    returns = head[_RETURNS] != 0
    if depth == _BEFORE:
        depth = 0
        mover, other = frames[0, _MOVER], frames[0, _OTHER]
        empty = board.full & ~(mover | other)
        frames[0, _OWN] = threats_of(mover, lines, board) & empty
        frames[0, _THREATS] = threats_of(other, lines, board) & empty
    while True:
        mover, other = frames[depth, _MOVER], frames[depth, _OTHER]
        if returns:
            frames[depth, _BEST] = max(frames[depth, _BEST], -result)
        elif nodes == budget:
            break
        else:
            nodes += 1
            here = ply + depth
            own, threats = frames[depth, _OWN], frames[depth, _THREATS]
            alpha, beta = frames[depth, _ALPHA], frames[depth, _BETA]
            worth, low, high = _look(mover, other, own, threats, here, board, use)
            if not board.gravity:
                low, high = _look_at_lines(mover, other, here, low, high, board, lines, use)
            if use.table and low < high and low < beta and high > alpha:
                symmetry = use.symmetry and here <= board.cells - _LATE
                if board.gravity:
                    key = _key_of_columns(mover, other, board, symmetry)
                else:
                    key = _key_of_cells(mover, other, board, images, symmetry)
                hashed = key * MULTIPLIER
                first, tag = (hashed >> 64 - bits & buckets) << 1, hashed & tag_bits
                low, high = _narrowed(table[first], tag, low, high)
                low, high = _narrowed(table[first + 1], tag, low, high)
                frames[depth, _HASH] = hashed
            frames[depth, _BEST] = high if high <= alpha else low
            count = 0
            if low < high and low < beta and high > alpha:
                frames[depth, _LOW], frames[depth, _HIGH] = low, high
                frames[depth, _ALPHA], frames[depth, _BETA] = max(alpha, low), min(beta, high)
                empty = board.full & ~(mover | other)
                for group in range(groups.size):
                    move = worth & groups[group]
                    if not move:
                        continue
                    if board.gravity:
                        completing = threats_by_steps(mover | move, board)
                    else:
                        completing = own
                        for number in range(through.shape[1]):
                            missing = through[group, number] & ~(mover | move)
                            if missing & (missing - 1) == 0:
                                completing |= missing
                    completing &= empty & ~move
                    place = count
                    if use.ordering:
                        promise = (
                            -count_bits(completing) if board.misere else count_bits(completing)
                        )
                        while place and promise > promises[place - 1]:
                            promises[place] = promises[place - 1]
                            moves[depth, place] = moves[depth, place - 1]
                            after[depth, place] = after[depth, place - 1]
                            place -= 1
                        promises[place] = promise
                    moves[depth, place], after[depth, place] = move, completing
                    count += 1
                if use.cutoffs and use.table and board.gravity and here < board.cells - _LATE:
                    for place in range(count):
                        key = _key_of_columns(
                            other, mover | moves[depth, place], board, use.symmetry
                        )
                        hashed = key * MULTIPLIER
                        first, tag = (hashed >> 64 - bits & buckets) << 1, hashed & tag_bits
                        _, high = _narrowed(table[first], tag, 0, 127)
                        _, high = _narrowed(table[first + 1], tag, 0, high)
                        if -high >= beta:
                            frames[depth, _BEST] = -high
                            break
            frames[depth, _NEXT], frames[depth, _COUNT] = 0, count
        number, best, beta = frames[depth, _NEXT], frames[depth, _BEST], frames[depth, _BETA]
        returns = number == frames[depth, _COUNT] or best >= beta
        if not returns:
            move = moves[depth, number]
            frames[depth, _NEXT] = number + 1
            frames[depth + 1, _MOVER], frames[depth + 1, _OTHER] = other, mover | move
            frames[depth + 1, _OWN] = frames[depth, _THREATS] & ~move
            frames[depth + 1, _THREATS] = after[depth, number]
            frames[depth + 1, _ALPHA] = -beta
            frames[depth + 1, _BETA] = -max(frames[depth, _ALPHA], best)
            depth += 1
            continue
        result = best
        if use.table and frames[depth, _COUNT]:
            low, high = frames[depth, _LOW], frames[depth, _HIGH]
            low, high = (best, high) if best >= beta else (low, best)
            hashed = frames[depth, _HASH]
            first, tag = (hashed >> 64 - bits & buckets) << 1, hashed & tag_bits
            bounds = low + 64 << _BOUND | high + 64
            entry = tag << _TAG | ply + depth << 2 * _BOUND | bounds
            there = table[first]
            if there and there >> _TAG & tag_bits != tag:
                # The first entry is for early plies, the second for the latest position.
                is_earlier = ply + depth <= there >> 2 * _BOUND & 63
                table[first + 1] = there if is_earlier else entry
                table[first] = entry if is_earlier else there
            else:
                table[first] = entry
        if depth == 0:
            break
        depth -= 1
    head[_DEPTH], head[_RETURNS], head[RESULT] = depth, returns, result
    head[NODES] += nodes
    return bool(returns)
