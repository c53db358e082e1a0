"""Monte-Carlo tree search that ends with a proof, on bitboards, compiled.

Kocsis and Szepesvári, *Bandit based Monte-Carlo planning* (2006), choose the moves: UCB1 with the
constant of Auer and others, rewards of 0 to 1, and moves not tried yet first. Cazenave and
Saffidine, *Score bounded Monte-Carlo tree search* (2010), add bounds of each node's score, so that
solved and hopeless moves are left out, and a search ends when the bounds of its root meet.

Nodes are those of the tree, and the positions that random games enter beyond it.
"""

from math import log, sqrt
from typing import NamedTuple

import numpy as np

from marubatsu.engine.kernels.bit_rules import BitRules, Longs, completes_line
from marubatsu.engine.kernels.tally import NO_ROOM, STOPPED, TreeSearch
from marubatsu.engine.large.compiled import compiled, count_bits
from marubatsu.engine.rules.position import Position

_TWICE_C_SQUARED = 2.0
"""UCB1 adds sqrt(2 ln(n) / m) to the mean of a move that was tried m of n times."""

_STEP = 1 << 20
"""Logarithms are rounded to this part of 1: libraries differ in their last bits."""

_SPREAD = 0x1E3779B97F4A7C15
"""Spreads seeds that are near each other over all states of the generator."""

_MOST_NODES = 1 << 24
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
    state = np.array([seed * _SPREAD + 0x3F58476D1CE4E5B9 | 1], np.int64)
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
            lambda tree: grow(*start, seed, self._limit, self._bits.rules, tree), _MOST_NODES
        )
        return None if score in (STOPPED, NO_ROOM) else score, nodes
