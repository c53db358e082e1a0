"""Proof-number search and df-pn on bitboards, compiled.

Allis, van der Meulen and van den Herik, *Proof-number search* (1994): a tree in memory grows where
the fewest leaves must be proved. Nagai, *Df-pn algorithm for searching AND/OR trees* (2002): the
same, depth first, with thresholds and a table.

Both answer yes or no. So a position takes two questions: does the side to move win, and, if not,
does it draw at least? Nodes are the positions of both trees, or the entries of both recursions.
"""

from typing import NamedTuple

import numpy as np

from marubatsu.engine.kernels.bit_rules import BitRules, Longs, completes_line, key_of
from marubatsu.engine.kernels.tally import NO_ROOM, STOPPED, TreeSearch
from marubatsu.engine.large.compiled import compiled, count_bits, first_row
from marubatsu.engine.rules.position import Position
from marubatsu.engine.search.options import Algorithm

_INFINITE = 1 << 40
"""A number that cannot be reached; sums stop here."""

_MOST_NODES, _MOST_ROWS = 1 << 25, 1 << 25
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
    """Grow a tree until it tells whether the side to move gets its goal: 1 a win, 0 a draw.

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
        return self._grow(lambda tree: prove(*question, rules, tree), _MOST_NODES)
