"""Depth-first search with a window on bitboards, compiled: each technique is a switch.

One search of `search` is one entry into a recursion that keeps its own stack. A node is one entry:
the first position, every visited descendant, finished positions and answers of the table. Scores
are those of the side to move, times two, so that a window may lie between two of them: +2 wins, 0
draws, -2 loses. ``remaining`` plies are searched; an unfinished position after the last is a draw.

These kernels make positions as they go, so they search games whose graph fits no memory; scores
other than a win, a draw and a loss would not fit their tables. `engine.kernels.search_kernels` has
the other values, for small games.

What reads or writes arrays for every node is in one function, or inlined: to call another with
arrays costs as much as a node.
"""

from typing import NamedTuple, TypeAlias

import numpy as np

from marubatsu.engine.kernels.bit_rules import BitRules, Ranks, completes_line, key_of, row_of
from marubatsu.engine.large.compiled import compiled, count_bits, first_row, inlined
from marubatsu.engine.rules.masks import Longs

WIN = 2
OPEN = 4
"""A bound beyond all scores: the window (-OPEN, OPEN) never cuts."""

Window: TypeAlias = tuple[int, int]

GROWS, ALWAYS, DEPTH, TWO_TIER = range(4)
"""What a full table does."""


class TechniqueSwitches(NamedTuple):
    """The techniques of a search; most are options of the same names."""

    prunes: bool
    scouts: bool
    fail_hard: bool
    use_table: bool
    symmetry: bool
    table_move: bool
    internal_deepening: bool
    enhanced_cutoffs: bool
    killers: bool
    counter_moves: bool
    history: bool
    replacement: int  # GROWS, ALWAYS, DEPTH or TWO_TIER
    most_places: int  # of a table that grows; then new entries replace old ones


class SearchArrays(NamedTuple):
    """What a search remembers, except the table."""

    frames: Longs  # [2 * cells + 4, _FIELDS]
    moves: Longs  # [2 * cells + 4, cells] places in search order, where moves are sorted
    counts: Longs  # [12]: see NODES
    killers: Longs  # [cells + 1, 2] by ply; -1
    counters: Longs  # [2, cells] by side to move and last move; -1
    history: Longs  # [2, cells] by side to move and move


(
    NODES, LEAVES, ANSWERED, PV, CUT, ALL, FIRST_CUT, ENTRIES, GENERATION, _DEPTH, _STEP, REASON,
) = range(12)  # fmt: skip
"""What is counted: nodes are leaves, answers of the table, and expanded nodes of three types.

Leaves are finished, or have no plies left. A pv node has a score inside of its window, a cut node
at least beta, an all node at most alpha. In FIRST_CUT of the cut nodes the first move cut. The
last three are the depth and the step at which `search` goes on, and why it returned.
"""

ENDED, AT_LIMIT, UNORDERED = range(3)
"""It has a score; it reached its limit; or it needs the order of a position, and then goes on."""

(
    _MOVER, _OTHER, _PLAYABLE, _LAST, _PLY, _REMAINING, _ALPHA, _FIRST_ALPHA, _BETA, _LOWER,
    _UPPER, _HIGHEST, _BEST_PLACE, _TRIED, _REST, _PLACE, _FIRST_PLACE, _PHASE, _KEY, _SYMMETRY,
) = range(20)  # fmt: skip
_FIELDS = 20
_FULL, _NULL, _INTERNAL = range(3)
"""Phases: what the search below a frame is for."""

_ENTER, _EXPAND, _NEXT, _STORE, _LEAVE = range(5)
"""What comes next for the position of a frame."""

_INTERNAL_LEAST, _INTERNAL_LESS = 3, 2
"""Internal deepening begins with so many plies, and takes so many off."""

_MOST_HISTORY = 1 << 52

# An entry: bounds plus _BOUND, plies, place of the best move plus 1, and the generation.
_BOUND, _UPPER_AT, _PLIES_AT, _MOVE_AT, _GENERATION_AT = OPEN, 4, 8, 14, 20


def new_arrays(cells: int) -> SearchArrays:
    """Return the arrays of searches."""
    depth = 2 * cells + 4
    return SearchArrays(
        frames=np.zeros((depth, _FIELDS), np.int64),
        moves=np.zeros((depth, cells), np.int64),
        counts=np.zeros(REASON + 1, np.int64),
        killers=np.zeros((cells + 1, 2), np.int64),
        counters=np.zeros((2, cells), np.int64),
        history=np.zeros((2, cells), np.int64),
    )


def forget(arrays: SearchArrays) -> None:
    """Forget what was counted and remembered, also in the table: its entries become stale."""
    generation = arrays.counts[GENERATION] + 1
    arrays.counts.fill(0)
    arrays.counts[GENERATION] = generation
    arrays.killers.fill(-1)
    arrays.counters.fill(-1)
    arrays.history.fill(0)


def begin(
    arrays: SearchArrays, masks: tuple[int, int, int], ply: int, remaining: int, window: Window
) -> None:
    """Let `search` begin with a position: the masks of its mover, of the other, and of the moves.

    The window is the mover's.
    """
    arrays.frames[0, : _BETA + 1] = (*masks, -1, ply, remaining, window[0], 0, window[1])
    arrays.counts[[_DEPTH, _STEP]] = 0, _ENTER
    arrays.counts[NODES] += 1


def unordered(arrays: SearchArrays) -> tuple[int, int, int]:
    """Return the position whose order `search` needs: masks of mover and other, and ply."""
    mover, other, ply = arrays.frames[arrays.counts[_DEPTH], [_MOVER, _OTHER, _PLY]].tolist()
    return mover, other, ply


@compiled
def _place_of(table: Longs, key: int, generation: int, replacement: int) -> int:
    """Return the row of a table that has a key, or the complement of the row where it may go."""
    size = table.shape[0]
    row = first_row(key, size)
    if replacement == TWO_TIER:
        row &= ~1
    while True:
        current = table[row, 1] >> _GENERATION_AT == generation
        if current and table[row, 0] == key:
            return row
        if replacement == TWO_TIER and row & 1:
            return ~(row - 1)
        if not current or replacement in (ALWAYS, DEPTH):
            return ~row
        row = row + 1 & size - 1


@compiled
def _grown(table: Longs, generation: int) -> Longs:
    """Return a table of twice the size with the entries of a generation."""
    larger = np.zeros((2 * table.shape[0], 2), np.int64)
    for number in range(table.shape[0]):
        if table[number, 1] >> _GENERATION_AT == generation:
            row = ~_place_of(larger, table[number, 0], generation, GROWS)
            larger[row, 0], larger[row, 1] = table[number, 0], table[number, 1]
    return larger


@compiled
def _put(table: Longs, key: int, entry: int, generation: int, replacement: int) -> bool:
    """Store an entry, unless what is there is worth more; return whether a row was taken."""
    row = _place_of(table, key, generation, replacement)
    if row >= 0:
        table[row, 1] = entry
        return False
    row = ~row
    plies = (1 << _MOVE_AT - _PLIES_AT) - 1
    is_free: bool = table[row, 1] >> _GENERATION_AT != generation
    is_deeper = entry >> _PLIES_AT & plies >= table[row, 1] >> _PLIES_AT & plies
    if replacement == TWO_TIER and not is_free:
        is_free = table[row + 1, 1] >> _GENERATION_AT != generation
        if is_deeper:
            table[row + 1, 0], table[row + 1, 1] = table[row, 0], table[row, 1]
        else:
            row += 1
    elif replacement == DEPTH and not is_free and not is_deeper:
        return False
    table[row, 0], table[row, 1] = key, entry
    return is_free


@inlined
def _save(
    frames: Longs, depth: int,
    mover: int, other: int, playable: int, last: int, ply: int, remaining: int,
    alpha: int, beta: int, lower: int, upper: int, key: int, number: int,
) -> None:  # fmt: skip
    """Write a position into its frame, with its window and what the table says of it."""
    frames[depth, _MOVER], frames[depth, _OTHER] = mover, other
    frames[depth, _PLAYABLE], frames[depth, _LAST] = playable, last
    frames[depth, _PLY], frames[depth, _REMAINING] = ply, remaining
    frames[depth, _ALPHA], frames[depth, _BETA] = alpha, beta
    frames[depth, _LOWER], frames[depth, _UPPER] = lower, upper
    frames[depth, _KEY], frames[depth, _SYMMETRY] = key, number


@inlined
def _position_in(frames: Longs, depth: int) -> tuple[int, int, int, int, int, int]:
    """Read the position of a frame: mover, other, moves, last move, ply, plies to search."""
    return (
        frames[depth, _MOVER], frames[depth, _OTHER], frames[depth, _PLAYABLE],
        frames[depth, _LAST], frames[depth, _PLY], frames[depth, _REMAINING],
    )  # fmt: skip


@inlined
def _bounds_in(frames: Longs, depth: int) -> tuple[int, int, int, int, int, int]:
    """Read the rest that `_save` writes: alpha, beta, lower, upper, key, symmetry."""
    return (
        frames[depth, _ALPHA], frames[depth, _BETA], frames[depth, _LOWER], frames[depth, _UPPER],
        frames[depth, _KEY], frames[depth, _SYMMETRY],
    )  # fmt: skip


@inlined
def _sort(
    arrays: SearchArrays, depth: int, priorities: Longs, playable: int, table_place: int,
    ply: int, last: int, ordered: Ranks, row: int, switches: TechniqueSwitches,
) -> None:  # fmt: skip
    """Write the playable places in the order of the search: by insertion, equal ones ascending.

    The move of the table comes first, then killers, the counter move, and those with most history.
    The rest is in the order of an AI, which has a ``row``, or else ascends.
    """
    count, side, rest = 0, ply & 1, playable
    while rest:
        place = count_bits((rest & -rest) - 1)
        rest &= rest - 1
        priority = priorities.size - (place if row < 0 else ordered.ranks[row, place])
        if switches.history:
            priority += min(arrays.history[side, place], _MOST_HISTORY) << 7
        if place == table_place:
            priority += 4 << 60
        elif switches.killers and place == arrays.killers[ply, 0]:
            priority += 3 << 60
        elif switches.killers and place == arrays.killers[ply, 1]:
            priority += 2 << 60
        elif switches.counter_moves and last >= 0 and place == arrays.counters[side, last]:
            priority += 1 << 60
        to = count
        while to and priority > priorities[to - 1]:
            priorities[to] = priorities[to - 1]
            arrays.moves[depth, to] = arrays.moves[depth, to - 1]
            to -= 1
        priorities[to], arrays.moves[depth, to] = priority, place
        count += 1


@inlined
def _cutting_move(
    mover: int, other: int, playable: int, remaining: int, beta: int, moves: Longs, depth: int,
    sorts: bool, rules: BitRules, symmetry: bool, table: Longs, generation: int, replacement: int,
) -> tuple[int, int]:  # fmt: skip
    """Return the first move whose child has an entry that cuts, and its score; -1 for none."""
    found, score, rest, tried = -1, 0, playable, 0
    while rest and found < 0:
        place = moves[depth, tried] if sorts else count_bits((rest & -rest) - 1)
        rest ^= 1 << place
        tried += 1
        child, _ = key_of(other, mover | 1 << place, rules.images, rules.places_up, symmetry)
        row = _place_of(table, child, generation, replacement)
        if row >= 0 and table[row, 1] >> _PLIES_AT & 63 >= remaining:
            score = _BOUND - (table[row, 1] >> _UPPER_AT & 15)
            if score >= beta:
                found = place
    return found, score


@inlined
def _remember_cut(arrays: SearchArrays, ply: int, last: int, place: int) -> None:
    """Remember a move that cut, as a killer and as the counter move of the last one."""
    if place != arrays.killers[ply, 0]:
        arrays.killers[ply, 1], arrays.killers[ply, 0] = arrays.killers[ply, 0], place
    if last >= 0:
        arrays.counters[ply & 1, last] = place


@inlined
def _entry(lower: int, upper: int, plies: int, move: int, generation: int) -> int:
    """Return an entry of the table; its move is a place plus 1, or 0."""
    return (
        generation << _GENERATION_AT
        | move << _MOVE_AT
        | plies << _PLIES_AT
        | upper + _BOUND << _UPPER_AT
        | lower + _BOUND
    )


@compiled
def search(
    limit: Longs,
    rules: BitRules,
    switches: TechniqueSwitches,
    ordered: Ranks,
    arrays: SearchArrays,
    table: Longs,
) -> tuple[int, Longs]:
    """Search the position of the first frame; return its score and the table, which may grow.

    The score means nothing unless the reason is ENDED. The limit of nodes is an array, [1], so that
    another thread can lower it.
    """
    cells, misere, above, through, images, places_up, goal, source = rules
    frames, moves, counts, _, _, led = arrays
    generation, counts[REASON] = counts[GENERATION], ENDED
    remembers = switches.killers or switches.counter_moves or switches.history
    deepens = switches.internal_deepening
    sorts = switches.table_move or remembers or ordered.keys.size > 0
    replacement = switches.replacement
    won = -WIN if misere else WIN
    if 4 * counts[ENTRIES] > 3 * table.shape[0]:
        replacement = max(replacement, ALWAYS)  # The search before could not let it grow.
    priorities = np.empty(cells, np.int64)
    depth, step = counts[_DEPTH], counts[_STEP]
    nodes, leaves, answered, result, best_move = counts[NODES], 0, 0, 0, -1
    mover, other, playable, last, ply, remaining = _position_in(frames, depth)
    alpha, beta, lower, upper, key, number = _bounds_in(frames, depth)
    first_alpha = highest = rest = tried = place = score = 0
    phase, first_place, best_place = _FULL, frames[depth, _FIRST_PLACE], -1
    while True:
        if step == _ENTER:
            if nodes > limit[0]:
                counts[REASON] = AT_LIMIT
                break
            lower, upper, first_place, step = -WIN, WIN, -1, _EXPAND
            if switches.use_table:
                key, number = key_of(mover, other, images, places_up, switches.symmetry)
                row = _place_of(table, key, generation, replacement)
                if row >= 0:
                    entry = table[row, 1]
                    stored = (entry >> _MOVE_AT & 63) - 1
                    if stored >= 0:
                        first_place = source[number, stored]
                    if entry >> _PLIES_AT & 63 >= remaining:
                        lower, upper = (entry & 15) - _BOUND, (entry >> _UPPER_AT & 15) - _BOUND
                        if lower == upper or upper <= alpha:
                            result, step = upper, _LEAVE
                        elif lower >= beta:
                            result, step = lower, _LEAVE
                        else:
                            alpha, beta = max(alpha, lower), min(beta, upper)
                if step == _LEAVE:
                    answered += 1
                    best_move = first_place
                    if switches.fail_hard:
                        result = min(max(result, alpha), beta)
                elif deepens and first_place < 0 and remaining >= _INTERNAL_LEAST:
                    phase, step = _INTERNAL, _ENTER
        if step == _LEAVE:  # Go back to the position before, with the score of its successor.
            if depth == 0:
                break
            depth -= 1
            mover, other, playable, last, ply, remaining = _position_in(frames, depth)
            alpha, beta, lower, upper, key, number = _bounds_in(frames, depth)
            phase = frames[depth, _PHASE]
            if phase == _INTERNAL:
                first_place, step = best_move, _EXPAND
            else:
                first_alpha, highest = frames[depth, _FIRST_ALPHA], frames[depth, _HIGHEST]
                best_place, tried = frames[depth, _BEST_PLACE], frames[depth, _TRIED]
                rest, place = frames[depth, _REST], frames[depth, _PLACE]
                first_place, step = frames[depth, _FIRST_PLACE], _NEXT
        has_score = step == _NEXT
        if step == _EXPAND:
            first_alpha, tried, best_place, rest = alpha, 0, -1, playable
            highest = alpha if switches.fail_hard else -OPEN
            step = _NEXT
            if sorts:
                at = -1
                if ordered.keys.size:
                    at = row_of(ordered.keys, key_of(mover, other, images, places_up, False)[0])
                    if at < 0:
                        _save(
                            frames, depth, mover, other, playable, last, ply, remaining,
                            alpha, beta, lower, upper, key, number,
                        )  # fmt: skip
                        frames[depth, _FIRST_PLACE] = first_place
                        counts[_DEPTH], counts[_STEP] = depth, _EXPAND
                        counts[REASON] = UNORDERED
                        break
                _sort(
                    arrays, depth, priorities, playable, first_place if switches.table_move else -1,
                    ply, last, ordered, at, switches,
                )  # fmt: skip
            if switches.enhanced_cutoffs and remaining > 1:
                place, score = _cutting_move(
                    mover, other, playable, remaining - 1, beta, moves, depth, sorts, rules,
                    switches.symmetry, table, generation, replacement,
                )  # fmt: skip
                if place >= 0:
                    highest, best_place, step = score, place, _STORE
        if step == _NEXT:  # Try moves until one is entered, cuts, or is the last.
            step = _STORE
            while True:
                if has_score:
                    has_score = False
                    score = -result
                    if phase == _NULL and alpha < score < beta:
                        phase, step = _FULL, _ENTER
                        break
                elif not rest:
                    break
                else:
                    place = moves[depth, tried] if sorts else count_bits((rest & -rest) - 1)
                    rest ^= 1 << place
                    tried += 1
                    is_null = switches.scouts and tried > 1
                    if completes_line(mover | 1 << place, place, through):
                        score = won
                    elif ply + 1 == cells or remaining == 1:
                        score = 0
                    else:
                        phase, step = _NULL if is_null else _FULL, _ENTER
                        break
                    # The null window of a leaf inside of the window fails high: it is seen twice.
                    seen = 1 + (is_null and alpha < score < beta)
                    nodes += seen
                    leaves += seen
                if score > highest:
                    highest, best_place = score, place
                    if switches.prunes and score > alpha:
                        if score >= beta:
                            break
                        alpha = score
        if step == _ENTER:
            _save(
                frames, depth, mover, other, playable, last, ply, remaining,
                alpha, beta, lower, upper, key, number,
            )  # fmt: skip
            frames[depth, _FIRST_ALPHA], frames[depth, _HIGHEST] = first_alpha, highest
            frames[depth, _BEST_PLACE], frames[depth, _TRIED] = best_place, tried
            frames[depth, _REST], frames[depth, _PLACE] = rest, place
            frames[depth, _PHASE], frames[depth, _FIRST_PLACE] = phase, first_place
            nodes += 1
            depth += 1
            if phase == _INTERNAL:
                remaining -= _INTERNAL_LESS
                continue
            beta = -alpha - WIN if phase == _NULL else -beta
            alpha, beta = beta, -alpha
            mover, other = other, mover | 1 << place
            playable = playable ^ 1 << place | above[place]
            last, ply, remaining = place, ply + 1, remaining - 1
            continue
        if step == _STORE:
            result, best_move, step = highest, best_place, _LEAVE
            if switches.fail_hard:
                result = min(result, beta)
            if result >= beta:
                counts[CUT] += 1
                counts[FIRST_CUT] += tried == 1
                lower = result
                if tried:
                    _remember_cut(arrays, ply, last, best_place)
            elif result > first_alpha:
                counts[PV] += 1
                lower = upper = result
            else:
                counts[ALL] += 1
                upper = result
            if best_place >= 0 and tried:
                led[ply & 1, best_place] = min(
                    led[ply & 1, best_place] + (1 << remaining), _MOST_HISTORY
                )
            if switches.use_table:
                stored = first_place if best_place < 0 else best_place
                stored = goal[number, stored] + 1 if stored >= 0 else 0
                entry = _entry(lower, upper, remaining, stored, generation)
                counts[ENTRIES] += _put(table, key, entry, generation, replacement)
                if replacement == GROWS and 4 * counts[ENTRIES] > 3 * table.shape[0]:
                    if table.shape[0] < switches.most_places:
                        table = _grown(table, generation)
                    else:
                        replacement = ALWAYS
    counts[NODES], counts[LEAVES] = nodes, counts[LEAVES] + leaves
    counts[ANSWERED] += answered
    return result, table
