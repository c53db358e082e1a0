"""Bounds for the size of a game: exact counts that need no search and no NumPy.

They count the ways to place marks: with gravity those that stack, else all.
"""

from math import comb

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError

MAX_POSITIONS = 1_000_000
"""The most positions of a game that are held in memory at once."""

MAX_CLASSES = 10**11
"""The most classes of a game that one machine solves: a terabyte of disk, and days."""

MAX_TREE_CELLS = 9
"""The largest board whose tree fits in memory and whose lines fit nine digits."""


class TooLargeError(InputError):
    """A game too large for the request; the message gives the estimate and an alternative."""


def has_full_tree(game: Game) -> bool:
    """Return whether a game's board is small enough for its full tree."""
    return game.cells <= MAX_TREE_CELLS


def arrangements(game: Game) -> list[int]:
    """Count the ways to place the marks at each ply, ignoring wins.

    An upper bound on the positions of each ply: cells + 1 exact integers.
    """
    if game.gravity:
        shapes = stackings(game.columns, game.rows)
    else:
        shapes = [comb(game.cells, ply) for ply in range(game.cells + 1)]
    return [ways * comb(ply, ply // 2) for ply, ways in enumerate(shapes)]


def lines_of_play(game: Game) -> int:
    """Bound the nodes of the full tree from above: moves in any order, ignoring wins."""
    bound, ways = 1, 1
    for ply in range(game.cells):
        ways *= min(game.cells - ply, game.columns) if game.gravity else game.cells - ply
        bound += ways
    return bound


def stackings(columns: int, rows: int) -> list[int]:
    """Count the ways to stack marks in columns, by number of marks: columns * rows + 1 counts."""
    ways = [1]
    for _ in range(columns):
        ways = [sum(ways[max(0, marks - rows) : marks + 1]) for marks in range(len(ways) + rows)]
    return ways


def smallest_int(bound: int) -> str:
    """Return the name of the smallest signed integer type that holds 0 to ``bound``."""
    return next(f"int{bits}" for bits in (8, 16, 32, 64) if bound < 1 << (bits - 1))
