"""The truth of a position a second way, by the rules alone: plain negamax without any table."""

from functools import cache

import marubatsu as mb


@cache
def value(game: mb.Game, position: mb.Position) -> int:
    """Return the score of a position from the view of the side to move: +1, 0 or -1."""
    status = game.status(position)
    if status is not mb.Status.PLAYING:
        return position.turn.sign * status.score
    return max(-value(game, position.after(cell)) for cell in game.legal_moves(position))


def losses(game: mb.Game, position: mb.Position) -> dict[int, int]:
    """Return how much each legal move lowers the mover's score."""
    scores = {cell: -value(game, position.after(cell)) for cell in game.legal_moves(position)}
    best = max(scores.values())
    return {cell: best - score for cell, score in scores.items()}
