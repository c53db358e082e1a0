"""The scores computed a second way: plain recursion, one position after the other.

Tests compare it with `engine.tree.induction`.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Status
from marubatsu.engine.rules.size_limits import require_small


class Judged(NamedTuple):
    """A position's plain minimax values, from circle's view."""

    score: int
    score_sv: int
    score_svrd: float
    distance: int
    best_moves: list[int]
    best_moves_sv: list[int]
    best_moves_svrd: list[int]
    winners: set[Status]  # the winners of the games that go on from here


def judge(game: Game) -> dict[Position, Judged]:
    """Judge every position of a game.

    Raises TooLargeError for boards of more than 9 cells.
    """
    require_small(game)
    judged: dict[Position, Judged] = {}
    _judge(game, EMPTY, judged)
    return judged


def _judge(game: Game, position: Position, judged: dict[Position, Judged]) -> Judged:
    if position in judged:
        return judged[position]
    status, ply = game.status(position), position.ply
    if status is not Status.PLAYING:
        sign = {Status.CIRCLE: 1, Status.CROSS: -1, Status.DRAW: 0}[status]
        score_sv = sign * (1 + (game.cells - ply) // 2)
        judged[position] = Judged(sign, score_sv, score_sv, 0, [], [], [], {status})
        return judged[position]
    moves = game.legal_moves(position)
    children = [_judge(game, game.play(position, move), judged) for move in moves]
    best: Callable[..., Any] = max if ply % 2 == 0 else min
    mover, waiting = (1, Status.CROSS) if ply % 2 == 0 else (-1, Status.CIRCLE)
    score = best(child.score for child in children)
    score_sv = best(child.score_sv for child in children)
    plies = [child.distance for child in children if child.score == score]
    winners = set[Status]().union(*(child.winners for child in children))
    score_svrd = -mover / 2 if score_sv == 0 and waiting in winners else score_sv
    distance = 1 + (min(plies) if score == mover else max(plies))
    best_moves = (
        _best(moves, [getattr(child, name) for child in children], best)
        for name in ("score", "score_sv", "score_svrd")
    )
    judged[position] = Judged._make([score, score_sv, score_svrd, distance, *best_moves, winners])
    return judged[position]


def _best(moves: Sequence[int], scores: list[float], best: Callable[..., Any]) -> list[int]:
    return [move for move, score in zip(moves, scores, strict=True) if score == best(scores)]
