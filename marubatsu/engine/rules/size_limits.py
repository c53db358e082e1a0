"""Games that are too large to enumerate, or for the full tree, are refused.

Where a bound decides, no estimate is needed, and so no NumPy.
"""

from math import inf

from marubatsu.engine.rules.bounds import (
    MAX_CLASSES,
    MAX_POSITIONS,
    MAX_TREE_CELLS,
    TooLargeError,
    arrangements,
    has_full_tree,
)
from marubatsu.engine.rules.game import Game


def require_few(game: Game, limit: int = MAX_POSITIONS) -> float:
    """Estimate a game's positions. Raises TooLargeError where they are surely more than a limit."""
    bound = sum(arrangements(game))
    if bound <= limit:
        return bound
    from marubatsu.engine.rules.size import estimate_positions  # where the bound does not decide

    expected = estimate_positions(game)
    tolerance = 2.0
    if not game.all_open:  # Too high: with gravity on three columns by a third, else unknown.
        tolerance = 10.0 if game.gravity and game.columns > 2 else inf
    if expected > tolerance * limit:
        raise too_large(game, limit)
    return expected


def too_large(game: Game, limit: int) -> TooLargeError:
    """Return the error for a game with more positions than a limit."""
    from marubatsu.engine.rules.size import describe, estimate_positions, is_large
    from marubatsu.engine.rules.symmetry import most_members

    smaller = "a smaller board or a shorter run" + ("" if game.gravity else ", or gravity")
    can_be_solved = not is_large(game, MAX_CLASSES * most_members(game))
    solution = f"; `marubatsu solve {game.name}` solves it without tables" * can_be_solved
    return TooLargeError(
        f"{game.name} has {describe(estimate_positions(game))} positions by estimate: "
        f"expected at most {limit:,}; use {smaller}, such as 4x3k3 or 4x4k4-gravity{solution}"
    )


def require_small(game: Game) -> None:
    """Raise TooLargeError, with an estimate, when a game's full tree is too large."""
    if has_full_tree(game):
        return
    from marubatsu.engine.rules.size import describe, estimate_nodes, is_large

    refused = (
        f"the full tree of {game.name} has {describe(estimate_nodes(game))} nodes by estimate: "
        f"expected a board of at most {MAX_TREE_CELLS} cells"
    )
    if not is_large(game):
        raise TooLargeError(
            f"{refused}; its positions need no tree: `marubatsu build` makes their tables"
        )
    raise TooLargeError(f"{refused}, such as 3x3k3")
