"""Bounds for the size of a game, and the refusal of games that are too large.

Bounds are exact counts without a search: the ways to place marks, with gravity those that stack.
Where a bound decides, no estimate is needed, and so no NumPy.
"""

from math import comb, inf

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError

MAX_POSITIONS = 1_000_000
"""The most positions of a game that are held in memory at once."""

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


def require_few(game: Game, limit: int = MAX_POSITIONS) -> float:
    """Estimate a game's positions. Raises TooLargeError where they are surely more than a limit."""
    bound = sum(arrangements(game))
    if bound <= limit:
        return bound
    from marubatsu.engine.rules.size import estimate_positions  # where the bound does not decide

    expected = estimate_positions(game)
    tolerance = 2.0
    if game.gravity:  # Too high: on three columns by up to a third, on fewer by an unknown factor.
        tolerance = 10.0 if game.columns > 2 else inf
    if expected > tolerance * limit:
        raise too_large(game, limit)
    return expected


def too_large(game: Game, limit: int) -> TooLargeError:
    """Return the error for a game with more positions than a limit."""
    from marubatsu.engine.rules.size import describe, estimate_positions

    smaller = "a smaller board or a shorter run" + ("" if game.gravity else ", or gravity")
    return TooLargeError(
        f"{game.name} has {describe(estimate_positions(game))} positions by estimate: "
        f"expected at most {limit:,}; use {smaller}, such as 4x3k3 or 4x4k4-gravity"
    )


def require_small(game: Game) -> None:
    """Raise TooLargeError, with an estimate, when a game's full tree is too large."""
    if has_full_tree(game):
        return
    from marubatsu.engine.rules.size import describe, estimate_nodes, estimate_positions

    refused = (
        f"the full tree of {game.name} has {describe(estimate_nodes(game))} nodes by estimate: "
        f"expected a board of at most {MAX_TREE_CELLS} cells"
    )
    if estimate_positions(game) <= MAX_POSITIONS:
        raise TooLargeError(
            f"{refused}; its positions need no tree: `marubatsu build` makes their tables"
        )
    raise TooLargeError(f"{refused}, such as 3x3k3")
