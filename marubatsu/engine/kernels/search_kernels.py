"""The searches of `engine.search`, compiled: the same options, scores and node counts.

These kernels read the graph of all positions of a small game, so a leaf may have any value: that of
an AI's evaluation, or of a quick win. `engine.kernels.window_kernel` needs no graph and knows only
wins, draws and losses.

A search walks over the arrays of a game's graph with a stack of its own. What differs between
searches is data: the order of the edges, the values of leaves, the window, and some switches.
`Memory` has the room that a search needs, so a kernel allocates nothing.
"""

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.compiled import compiled, inlined
from marubatsu.engine.rules.masks import Ints

Floats = NDArray[np.float64]


class SearchGraph(NamedTuple):
    """The graph of a game for one ordering and one kind of leaves.

    N positions, M moves, C classes, S symmetries. The moves of position i are ``first[i]`` up to
    ``first[i + 1]``, in the order in which a search tries them.
    """

    ply: NDArray[np.int8]  # [N]
    class_: Ints  # [N]
    image: Ints  # [S, N] number of the image of each position; only deepening uses it
    first: Ints  # [N + 1]
    child: Ints  # [M] number of the position after the move; its complement where it is finished
    value: Floats  # [M] the mover's score of that position as a leaf
    first_candidate: Ints  # [N + 1] as `first`; only draws use it
    candidate: NDArray[np.int8]  # places, among a position's moves, of the moves to draw from


class Switches(NamedTuple):
    """What a search does; scores and windows are in circle's view."""

    prunes: bool  # cut, and narrow the window
    scouts: bool  # null windows for all but the first successor
    closes_in: bool  # MTD(f)
    deepens: bool  # one ply deeper at a time, the best move of the last time first
    remembers: bool  # use the transposition table
    draws: bool  # draw the first move among the candidates
    alpha: float  # the window at the root; in MTD(f), the first bounds
    beta: float
    least: float  # the range of scores
    greatest: float
    max_depth: int  # plies; the cells of the game when there is no limit


class Memory(NamedTuple):
    """Room for a search; D plies."""

    frames: NDArray[np.int64]  # [D, 6] of each position on the way: see `_NUMBER`
    windows: Floats  # [D, 6]: see `_ALPHA`
    table: Floats  # [C, 4] lower bound, upper bound, number of the search that wrote them
    words: NDArray[np.int64]  # 32-bit words to draw with
    best: Ints  # [2, N] the best edge of each position, of this depth and the last; -1
    found_in: Ints  # [2, C] the last position of each class that got a best edge; -1
    searched: Ints  # [2, N] the positions with a best edge
    marks: NDArray[np.int64]  # [5]: see `_SEARCHES`


_NUMBER, _NEXT, _SWAPPED, _BEST_EDGE, _PLACE, _IS_NULL = range(6)
_ALPHA, _BETA, _FIRST_ALPHA, _HIGHEST, _LOWER, _UPPER = range(6)
_SEARCHES, _WORD, _HALF, _KEPT = range(4)
"""Marks: tables begun so far; the next word; the half of `best` for this depth; from `_KEPT` on,
the positions in each half."""

_OUT_OF_WORDS = -1


def new_memory(graph: SearchGraph, cells: int, *, deepens: bool) -> Memory:
    """Return room for searches of a game."""
    positions = len(graph.ply)
    classes = int(graph.class_.max()) + 1
    halves = (2, positions if deepens else 0)
    return Memory(
        frames=np.zeros((cells, 6), np.int64),
        windows=np.zeros((cells, 6)),
        table=np.zeros((classes, 4)),
        words=np.zeros(0, np.int64),
        best=np.full(halves, -1, np.int32),
        found_in=np.full((2, classes if deepens else 0), -1, np.int32),
        searched=np.zeros(halves, np.int32),
        marks=np.zeros(_KEPT + 2, np.int64),
    )


@inlined
def _drawn(below: int, words: NDArray[np.int64], word: int) -> tuple[int, int]:
    """Draw a number as `random.Random` does; return it, -1 without words, and the next word."""
    shift, drawn = 32, below
    while below >> 32 - shift:
        shift -= 1
    while drawn >= below:
        if word == words.size:
            drawn = -1
        else:
            drawn = words[word] >> shift
            word += 1
    return drawn, word


@compiled
def _leading_place(number: int, graph: SearchGraph, memory: Memory) -> int:
    """Return the place of the best move of the depth before, 0 when there is none.

    The first symmetry from an image of the position takes the best move of the image along.
    """
    before, begin = 1 - memory.marks[_HALF], graph.first[number]
    if memory.best[before, number] >= 0:
        return int(memory.best[before, number] - begin)
    like = memory.found_in[before, graph.class_[number]]
    if like < 0:
        return 0
    symmetry = 0
    while graph.image[symmetry, like] != number:
        symmetry += 1
    goal = graph.child[memory.best[before, like]]
    goal = graph.image[symmetry, goal] if goal >= 0 else ~graph.image[symmetry, ~goal]
    place = 0
    while graph.child[begin + place] != goal:
        place += 1
    return place


@compiled
def _keep_best(number: int, edge: int, graph: SearchGraph, memory: Memory) -> None:
    half = memory.marks[_HALF]
    if memory.best[half, number] < 0:
        memory.searched[half, memory.marks[_KEPT + half]] = number
        memory.marks[_KEPT + half] += 1
        memory.found_in[half, graph.class_[number]] = number
    memory.best[half, number] = edge


@compiled
def _forget(half: int, graph: SearchGraph, memory: Memory) -> None:
    for place in range(memory.marks[_KEPT + half]):
        number = memory.searched[half, place]
        memory.best[half, number] = -1
        memory.found_in[half, graph.class_[number]] = -1
    memory.marks[_KEPT + half] = 0


@compiled
def _search(
    root: int,
    root_alpha: float,
    root_beta: float,
    horizon: int,
    switches: Switches,
    graph: SearchGraph,
    memory: Memory,
) -> tuple[float, int]:
    """Search an unfinished position with a window; score and window in the mover's view.

    Returns the score and the nodes below the root, `_OUT_OF_WORDS` when the words do not suffice.
    """
    plies, class_, first, child = graph.ply, graph.class_, graph.first, graph.child
    value, first_candidate, candidate = graph.value, graph.first_candidate, graph.candidate
    frames, windows, table, words = memory.frames, memory.windows, memory.table, memory.words
    prunes, scouts, remembers = switches.prunes, switches.scouts, switches.remembers
    stamp, word = memory.marks[_SEARCHES], memory.marks[_WORD]
    base = int(plies[root])
    number, alpha, beta = root, root_alpha, root_beta
    depth, nodes, result = 0, 0, 0.0
    first_alpha, lower, upper, highest = 0.0, 0.0, 0.0, 0.0
    edge = end = begin = swapped = best_edge = place = 0
    is_null = returns = False
    while True:
        if not returns:  # Enter a position: ask the table, or begin with its first successor.
            if remembers:
                key = class_[number]
                if table[key, 2] == stamp:
                    lower, upper = table[key, 0], table[key, 1]
                    if lower == upper or upper <= alpha:
                        result, returns = upper, True
                    elif lower >= beta:
                        result, returns = lower, True
                    else:
                        alpha, beta = max(alpha, lower), min(beta, upper)
                elif (base + depth) & 1:
                    lower, upper = -switches.greatest, -switches.least
                else:
                    lower, upper = switches.least, switches.greatest
            if not returns:
                begin, end = first[number], first[number + 1]
                edge, swapped, best_edge = begin, 0, -1
                highest, first_alpha = -inf, alpha
                if switches.draws:
                    candidates = first_candidate[number + 1] - first_candidate[number]
                    drawn, word = _drawn(candidates, words, word)
                    if drawn < 0:
                        return 0.0, _OUT_OF_WORDS
                    swapped = candidate[first_candidate[number] + drawn]
                elif switches.deepens:
                    swapped = _leading_place(number, graph, memory)
        has_score = False
        score_mover = 0.0
        if returns:  # Go on in the position before, with what its successor is worth.
            if depth == 0:
                break
            depth -= 1
            number = frames[depth, _NUMBER]
            edge, best_edge = frames[depth, _NEXT], frames[depth, _BEST_EDGE]
            swapped, place = frames[depth, _SWAPPED], frames[depth, _PLACE]
            is_null = frames[depth, _IS_NULL] != 0
            alpha, beta = windows[depth, _ALPHA], windows[depth, _BETA]
            highest, first_alpha = windows[depth, _HIGHEST], windows[depth, _FIRST_ALPHA]
            lower, upper = windows[depth, _LOWER], windows[depth, _UPPER]
            begin, end = first[number], first[number + 1]
            returns = False
            score_mover = -result
            if is_null and alpha < score_mover < beta:
                nodes += 1
                is_null = False
                frames[depth, _IS_NULL] = 0
                depth += 1
                number, alpha, beta = child[place], -beta, -alpha
                continue
            has_score = True
        at_end = base + depth + 1 >= horizon
        descends = False
        while True:
            if has_score and score_mover > highest:
                highest, best_edge = score_mover, place
                if prunes and score_mover > alpha:
                    if score_mover >= beta:
                        break
                    alpha = score_mover
            if edge == end:
                break
            place = edge
            if swapped:
                if edge == begin:
                    place = begin + swapped
                elif edge == begin + swapped:
                    place = begin
            edge += 1
            nodes += 1
            if child[place] >= 0 and not at_end:
                descends = True
                break
            has_score = True
            score_mover = value[place]
            if scouts and best_edge >= 0 and alpha < score_mover < beta:
                nodes += 1  # The null window would have failed high.
        if descends:
            is_null = scouts and best_edge >= 0
            frames[depth, _NUMBER], frames[depth, _NEXT] = number, edge
            frames[depth, _SWAPPED], frames[depth, _BEST_EDGE] = swapped, best_edge
            frames[depth, _PLACE], frames[depth, _IS_NULL] = place, is_null
            windows[depth, _ALPHA], windows[depth, _BETA] = alpha, beta
            windows[depth, _HIGHEST], windows[depth, _FIRST_ALPHA] = highest, first_alpha
            windows[depth, _LOWER], windows[depth, _UPPER] = lower, upper
            depth += 1
            number = child[place]
            alpha, beta = -alpha - 1 if is_null else -beta, -alpha
            continue
        result, returns = highest, True
        if switches.deepens:
            _keep_best(number, best_edge, graph, memory)
        if remembers:
            key = class_[number]
            if result >= beta:
                lower = result
            elif result > first_alpha:
                lower = upper = result
            else:
                upper = result
            table[key, 0], table[key, 1], table[key, 2] = lower, upper, stamp
    memory.marks[_WORD] = word
    return result, nodes


@compiled
def search_all(
    roots: Ints,
    goes_on: NDArray[np.bool_],
    leaves: Floats,
    switches: Switches,
    graph: SearchGraph,
    memory: Memory,
    scores: Floats,
    nodes: NDArray[np.int64],
) -> bool:
    """Search P positions; fill ``scores`` (circle's view) and ``nodes``, both [P].

    ``leaves``: the score of each root as a leaf. ``goes_on``: whether a search goes on with the
    table and the words of the one before. Returns False when there are too few words.
    """
    for number in range(roots.size):
        root = roots[number]
        ply = int(graph.ply[root])
        last = min(ply + switches.max_depth, memory.frames.shape[0])
        scores[number], nodes[number] = leaves[number], 1
        if graph.first[root] == graph.first[root + 1] or last == ply:
            continue
        if not goes_on[number]:
            memory.marks[_WORD] = 0
            memory.marks[_SEARCHES] += 1
        if not switches.deepens:
            nodes[number] = 0
        horizon = ply + 1 if switches.deepens else last
        lower, upper = switches.alpha, switches.beta
        alpha, beta = lower, upper
        score = 0.0
        is_searching = True
        while is_searching:
            if switches.closes_in:
                beta = score + 1 if lower == score else score
                alpha = beta - 1
            first, second = (-beta, -alpha) if ply & 1 else (alpha, beta)
            score_mover, below = _search(root, first, second, horizon, switches, graph, memory)
            if below == _OUT_OF_WORDS:
                return False
            score = -score_mover if ply & 1 else score_mover
            nodes[number] += 1 + below
            if switches.closes_in:
                lower, upper = (score, upper) if score >= beta else (lower, score)
                is_searching = lower != upper
            elif switches.deepens:
                half = memory.marks[_HALF]
                _forget(1 - half, graph, memory)
                memory.marks[_HALF] = 1 - half
                memory.marks[_SEARCHES] += 1
                horizon += 1
                is_searching = horizon <= last
                if not is_searching:
                    _forget(half, graph, memory)
            else:
                is_searching = False
        scores[number] = score + 0.0  # -0.0 becomes 0.0.
    return True


@compiled
def play_all(
    roots: Ints,
    playouts: int,
    graph: SearchGraph,
    words: NDArray[np.int64],
    totals: NDArray[np.int64],
    nodes: NDArray[np.int64],
) -> bool:
    """Play random games after each move of P positions, each position with the same words.

    ``totals``: for each move of each position in turn, the sum of the results in the mover's view.
    ``nodes``: [P] the positions entered. Returns False when there are too few words.
    """
    place = 0
    for number in range(roots.size):
        word, entered = 0, 0
        for start in range(graph.first[roots[number]], graph.first[roots[number] + 1]):
            total = 0.0
            for _ in range(playouts):
                edge, sign = start, 1
                entered += 1
                while graph.child[edge] >= 0:
                    here = graph.child[edge]
                    moves = graph.first[here + 1] - graph.first[here]
                    drawn, word = _drawn(moves, words, word)
                    if drawn < 0:
                        return False
                    edge = graph.first[here] + drawn
                    sign = -sign
                    entered += 1
                total += sign * graph.value[edge]
            totals[place] = int(total)
            place += 1
        nodes[number] = entered
    return True
