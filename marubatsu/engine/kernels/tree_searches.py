"""Searches that grow a tree in memory, on bitboards, compiled: proof numbers, df-pn, UCT.

Allis, van der Meulen and van den Herik, *Proof-number search* (1994): a tree in memory grows where
the fewest leaves must be proved. Nagai, *Df-pn algorithm for searching AND/OR trees* (2002): the
same, depth first, with thresholds and a table.

Both answer yes or no. So a position takes two questions: does the side to move win, and, if not,
does it draw at least? Nodes are the positions of both trees, or the entries of both recursions.

Kocsis and Szepesvári, *Bandit based Monte-Carlo planning* (2006), choose the moves: UCB1 with the
constant of Auer and others, rewards of 0 to 1, and moves not tried yet first. Cazenave and
Saffidine, *Score bounded Monte-Carlo tree search* (2010), add bounds of each node's score, so that
solved and hopeless moves are left out, and a search ends when the bounds of its root meet.

Its nodes are those of the tree, and the positions that random games enter beyond it.
"""

from abc import abstractmethod
from collections.abc import Callable
from math import log, sqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np

from marubatsu.engine.kernels.bit_rules import (
    NO_LIMIT,
    BitboardSearch,
    BitRules,
    SearchTally,
    completes_line,
    key_of,
)
from marubatsu.engine.large.compiled import MULTIPLIER, compiled, count_bits, first_row
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Longs
from marubatsu.engine.rules.position import Position, Status
from marubatsu.engine.search.options import Algorithm, Options

STOPPED, NO_ROOM = 2, 3
"""What a kernel returns instead of a score: it visited too many nodes, or its tree is full."""


class TreeSearch(BitboardSearch):
    """A search that grows a tree in memory."""

    kind: ClassVar[Any]
    """The tree: a named tuple with an array for each field of the nodes, `first` among them."""

    def __init__(self, game: Game, options: Options) -> None:
        super().__init__(game, options)
        self._tree = self._new_tree(1 << 10)

    def count(self, position: Position, limit: int = NO_LIMIT) -> SearchTally:
        """Return the score of a position, None where the limit ends the search, and the nodes."""
        status = self._bits.game.status(position)
        if status is not Status.PLAYING:
            return SearchTally(status.score, 1)
        score, nodes = self._search(position, limit)
        return SearchTally(None if score is None else position.turn.sign * score, nodes)

    @abstractmethod
    def _search(self, position: Position, limit: int) -> tuple[int | None, int]:
        """Return the score for the side to move, None where it is not known, and the nodes."""

    def _grow(self, grow: Callable[[Any], tuple[int, int]], most: int) -> tuple[int, int]:
        """Return what a kernel returns with a tree that has room, or with one of most nodes."""
        while True:  # A larger tree grows in the same way, from the start.
            answer, nodes = grow(self._tree)
            if answer != NO_ROOM or len(self._tree.first) >= most:
                return answer, nodes
            self._tree = self._new_tree(4 * len(self._tree.first))

    def _new_tree(self, nodes: int) -> Any:
        return self.kind._make(np.zeros(nodes, np.int64) for _ in self.kind._fields)


_INFINITE = 1 << 40
"""A number that cannot be reached; sums stop here."""

_MOST_PROOF_NODES, _MOST_ROWS = 1 << 25, 1 << 25
"""Of the tree, and of the table of df-pn: about 1 GiB each."""


class ProofTree(NamedTuple):
    """The nodes of a proof-number search."""

    first: Longs  # [N] the first child; -1 before a node is expanded
    children: Longs  # [N] how many
    place: Longs  # [N] the last mark
    phi: Longs  # [N] leaves that the side to move still has to prove for its goal
    delta: Longs  # [N] the same for the other side


@compiled
def _added(one: int, other: int) -> int:
    return min(one + other, _INFINITE)


@compiled
def prove(
    start: tuple[int, int, int], ply: int, goal: int, limit: Longs, rules: BitRules, tree: ProofTree
) -> tuple[int, int]:
    """Grow a tree until it proves whether the side to move gets its goal: 1 a win, 0 a draw.

    Returns 1 or 0, and the nodes; `STOPPED` or `NO_ROOM` when there would be too many: more than
    ``limit`` says, an array that another thread can lower, or than the tree has room for.
    """
    cells, misere, above, through = rules.cells, rules.misere, rules.above, rules.through
    first, counted, places, phi, delta = tree
    path = np.zeros(cells + 1, np.int64)
    nodes = 1
    first[0], phi[0], delta[0] = -1, 1, 1
    while phi[0] and delta[0]:
        mover, other, playable = start
        depth = node = 0
        while first[node] >= 0:  # The child whose leaves are the easiest: phi is its least delta.
            child = first[node]
            while delta[child] != phi[node]:
                child += 1
            bit = 1 << places[child]
            mover, other = other, mover | bit
            playable = playable ^ bit | above[places[child]]
            depth += 1
            path[depth] = node = child
        if nodes + count_bits(playable) > first.size:
            return NO_ROOM, nodes
        if nodes + count_bits(playable) > limit[0]:
            return STOPPED, nodes
        first[node], counted[node] = nodes, count_bits(playable)
        rest = playable
        while rest:
            place = count_bits((rest & -rest) - 1)
            rest &= rest - 1
            first[nodes], places[nodes], phi[nodes], delta[nodes] = -1, place, 1, 1
            score, is_over = 0, ply + depth + 1 == cells
            if completes_line(mover | 1 << place, place, through):
                score, is_over = -1 if misere else 1, True
            if is_over:  # The score is the mover's of the node; goal is that of the root's.
                proves = score >= goal if depth % 2 == 0 else -score < goal
                phi[nodes], delta[nodes] = (_INFINITE, 0) if proves else (0, _INFINITE)
            nodes += 1
        while depth >= 0:
            node = path[depth]
            least, total = _INFINITE, 0
            for child in range(first[node], first[node] + counted[node]):
                least, total = min(least, delta[child]), _added(total, phi[child])
            phi[node], delta[node] = least, total
            depth -= 1
    return int(phi[0] == 0), nodes


_MOVER, _OTHER, _PLAYABLE, _PHI, _DELTA, _KEY = range(6)


@compiled
def _row(table: Longs, key: int) -> int:
    """Return the row of a key, or the free row where it may go; rows store the key plus 1."""
    size = table.shape[0]
    row = first_row(key, size)
    while table[row, 0] != 0 and table[row, 0] != key + 1:
        row = row + 1 & size - 1
    return row


@compiled
def prove_depth_first(
    start: tuple[int, int, int],
    ply: int,
    goal: int,
    limit: Longs,
    rules: BitRules,
    symmetry: bool,
    most_rows: int,
) -> tuple[int, int]:
    """Answer the question of `prove` with a table and thresholds; nodes are entries."""
    cells, misere, above, through = rules.cells, rules.misere, rules.above, rules.through
    images, places_up = rules.images, rules.places_up
    table, used = np.zeros((1 << 10, 3), np.int64), 0
    frames = np.zeros((cells + 1, 6), np.int64)
    frames[0, _MOVER], frames[0, _OTHER], frames[0, _PLAYABLE] = start
    frames[0, _PHI] = frames[0, _DELTA] = _INFINITE
    frames[0, _KEY], _ = key_of(start[0], start[1], images, places_up, symmetry)
    last = np.zeros(cells + 1, np.int64)
    depth, nodes, enters, answer = 0, 0, True, 0
    while depth >= 0:
        mover, other, playable = (
            frames[depth, _MOVER], frames[depth, _OTHER], frames[depth, _PLAYABLE]
        )  # fmt: skip
        is_over, phi, delta = False, 0, 0
        if enters:
            nodes += 1
            if nodes > limit[0]:
                return STOPPED, nodes
            if depth:
                score, is_over = 0, ply + depth == cells
                if completes_line(other, last[depth], through):
                    score, is_over = 1 if misere else -1, True
                if is_over:  # The score is that of the side to move here.
                    proves = score >= goal if depth % 2 == 0 else -score < goal
                    phi, delta = (0, _INFINITE) if proves else (_INFINITE, 0)
        enters = False
        if not is_over:
            phi, delta, second, best, phi_best = _INFINITE, 0, _INFINITE, -1, 0
            key_best = 0
            rest = playable
            while rest:
                place = count_bits((rest & -rest) - 1)
                rest &= rest - 1
                key, _ = key_of(other, mover | 1 << place, images, places_up, symmetry)
                row = _row(table, key)
                is_stored = table[row, 0] != 0
                phi_child = table[row, 1] if is_stored else 1
                delta_child = table[row, 2] if is_stored else 1
                delta = _added(delta, phi_child)
                if delta_child < phi or best < 0:
                    second, phi = phi, delta_child
                    best, phi_best, key_best = place, phi_child, key
                elif delta_child < second:
                    second = delta_child
            if phi < frames[depth, _PHI] and delta < frames[depth, _DELTA]:
                most_phi = min(frames[depth, _DELTA] + phi_best - delta, _INFINITE)
                most_delta = min(frames[depth, _PHI], second + 1)
                depth += 1
                bit = 1 << best
                frames[depth, _MOVER], frames[depth, _OTHER] = other, mover | bit
                frames[depth, _PLAYABLE] = playable ^ bit | above[best]
                frames[depth, _PHI], frames[depth, _DELTA] = most_phi, most_delta
                frames[depth, _KEY], last[depth] = key_best, best
                enters = True
                continue
        row = _row(table, frames[depth, _KEY])
        used += table[row, 0] == 0
        table[row, 0], table[row, 1], table[row, 2] = frames[depth, _KEY] + 1, phi, delta
        if 4 * used > 3 * table.shape[0]:
            if table.shape[0] >= most_rows:
                return NO_ROOM, nodes
            larger = np.zeros((2 * table.shape[0], 3), np.int64)
            for number in range(table.shape[0]):
                if table[number, 0]:
                    row = _row(larger, table[number, 0] - 1)
                    larger[row] = table[number]
            table = larger
        answer = int(phi == 0)
        depth -= 1
    return answer, nodes


class ProofNumberSearch(TreeSearch):
    """Proof-number search or df-pn of a game."""

    kind = ProofTree

    def _search(self, position: Position, limit: int) -> tuple[int | None, int]:
        nodes = 0
        for goal in (1, 0):
            self._allow(limit - nodes)
            answer, more = self._ask(position, goal)
            nodes += more
            if answer in (STOPPED, NO_ROOM):
                return None, nodes
            if answer:
                return goal, nodes
        return -1, nodes

    def _ask(self, position: Position, goal: int) -> tuple[int, int]:
        question = self._bits.masks(position), position.ply, goal, self._limit
        rules, symmetry = self._bits.rules, self._options.symmetry
        if self._options.algorithm is Algorithm.DF_PN:
            return prove_depth_first(*question, rules, symmetry, _MOST_ROWS)
        return self._grow(lambda tree: prove(*question, rules, tree), _MOST_PROOF_NODES)


_TWICE_C_SQUARED = 2.0
"""UCB1 adds sqrt(2 ln(n) / m) to the mean of a move that was tried m of n times."""

_STEP = 1 << 20
"""Logarithms are rounded to this part of 1: libraries differ in their last bits."""

_MOST_PLAYOUTS = 1 << 24
"""Of the tree: about 1 GiB."""


class PlayoutTree(NamedTuple):
    """The nodes of a tree; bounds are those of the side to move: -1, 0, +1."""

    first: Longs  # [N] the first child; -1 before a node is expanded
    children: Longs  # [N] how many
    place: Longs  # [N] the last mark
    visits: Longs  # [N]
    reward: Longs  # [N] of the side that moved last: 2 for a win, 1 for a draw
    low: Longs  # [N]
    high: Longs  # [N]


@compiled
def _drawn(state: Longs, below: int) -> int:
    """Return a random number; the generator is xorshift64 (Marsaglia 2003)."""
    word = state[0]
    word ^= word << 13
    word ^= word >> 7 & (1 << 57) - 1
    word ^= word << 17
    state[0] = word
    return int((word >> 33 & (1 << 31) - 1) % below)


@compiled
def _best_child(node: int, tree: PlayoutTree) -> int:
    """Return the child with the greatest upper confidence bound that can still raise the score."""
    first, counted, _, visits, reward, lows, _ = tree
    tries = round(log(max(visits[node], 1)) * _STEP) / _STEP
    best, greatest = -1, -1.0
    for child in range(first[node], first[node] + counted[node]):
        if -lows[child] <= lows[node]:
            continue  # It cannot be better than what the mover has.
        if visits[child] == 0:
            return child
        bound = reward[child] / (2 * visits[child])
        bound += sqrt(_TWICE_C_SQUARED * tries / visits[child])
        if bound > greatest:
            best, greatest = child, bound
    return best


@compiled
def grow(
    start: tuple[int, int, int],
    ply: int,
    seed: int,
    limit: Longs,
    rules: BitRules,
    tree: PlayoutTree,
) -> tuple[int, int]:
    """Grow a tree until the score of its root is known; return it, for the mover, and the nodes.

    Instead of a score `STOPPED` says that there were more nodes than ``limit`` says, an array
    that another thread can lower; `NO_ROOM` says that the tree has no room for more.
    """
    cells, misere, above, through = rules.cells, rules.misere, rules.above, rules.through
    first, counted, places, visits, reward, lows, highs = tree
    won = -1 if misere else 1
    # The product spreads seeds that are near each other over all states of the generator.
    state = np.array([seed * MULTIPLIER + 0x3F58476D1CE4E5B9 | 1], np.int64)
    path = np.zeros(cells + 1, np.int64)
    nodes = used = 1
    first[0], visits[0], reward[0], lows[0], highs[0] = -1, 0, 0, -1, 1
    while lows[0] < highs[0]:
        mover, other, playable = start
        depth = node = 0
        while True:
            if first[node] < 0:  # Expand it: all children at once, finished ones with their score.
                if used + count_bits(playable) > first.size:
                    return NO_ROOM, nodes
                first[node], counted[node] = used, count_bits(playable)
                rest = playable
                while rest:
                    place = count_bits((rest & -rest) - 1)
                    rest &= rest - 1
                    first[used], places[used], visits[used], reward[used] = -1, place, 0, 0
                    lows[used], highs[used] = -1, 1
                    if completes_line(mover | 1 << place, place, through):
                        lows[used] = highs[used] = -won
                    elif ply + depth + 1 == cells:
                        lows[used] = highs[used] = 0
                    used += 1
                nodes += counted[node]
                is_new = True
            else:
                is_new = False
            child = _best_child(node, tree)
            if child < 0:
                break
            bit = 1 << places[child]
            mover, other = other, mover | bit
            playable = playable ^ bit | above[places[child]]
            depth += 1
            path[depth] = node = child
            if lows[node] == highs[node] or is_new or visits[node] == 0:
                break
        # A random game from there; the score is that of the side that moved last at the node.
        score = -lows[node] if lows[node] == highs[node] else 0
        if lows[node] < highs[node]:
            sign, here = -1, ply + depth
            while here < cells:
                drawn = _drawn(state, count_bits(playable))
                rest = playable
                for _ in range(drawn):
                    rest &= rest - 1
                place = count_bits((rest & -rest) - 1)
                nodes += 1
                here += 1
                if completes_line(mover | 1 << place, place, through):
                    score = sign * won
                    break
                bit = 1 << place
                mover, other = other, mover | bit
                playable = playable ^ bit | above[place]
                sign = -sign
        while depth >= 0:
            node = path[depth]
            visits[node] += 1
            reward[node] += 1 + score
            score = -score
            if first[node] >= 0:
                low, high = -1, -1
                for child in range(first[node], first[node] + counted[node]):
                    low, high = max(low, -highs[child]), max(high, -lows[child])
                lows[node], highs[node] = low, high
            depth -= 1
        if nodes > limit[0]:
            return STOPPED, nodes
    return int(lows[0]), nodes


class UpperConfidenceTree(TreeSearch):
    """Monte-Carlo tree search of a game."""

    kind = PlayoutTree

    def _search(self, position: Position, limit: int) -> tuple[int | None, int]:
        self._allow(limit)
        start, seed = (self._bits.masks(position), position.ply), self._options.seed or 0
        score, nodes = self._grow(
            lambda tree: grow(*start, seed, self._limit, self._bits.rules, tree), _MOST_PLAYOUTS
        )
        return None if score in (STOPPED, NO_ROOM) else score, nodes
