"""The scores computed a second way: plain recursion over the full tree that stores nothing.

Tests compare it with `engine.tree.induction`. It walks every node, so it takes seconds where
backward induction over the positions takes milliseconds.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Status
from marubatsu.engine.rules.size_limits import require_small


@dataclass(slots=True)
class Judged:
    """A node of the full tree and its plain minimax values, from circle's view."""

    line: int
    score: int
    score_sv: int
    score_svrd: float
    distance: int
    best_moves: list[int]
    best_moves_sv: list[int]
    best_moves_svrd: list[int]
    circle_can_win: bool  # some leaf at or below it is a win of circle
    cross_can_win: bool


def judge_tree(game: Game) -> Iterator[Judged]:
    """Judge every node of a game's full tree; the children come before their parent.

    Raises TooLargeError for boards of more than 9 cells.
    """
    require_small(game)
    yield from _judge(game, EMPTY, 0)


def _judge(game: Game, position: Position, line: int) -> Iterator[Judged]:
    """Judge a node and all below it; the node itself comes last."""
    status, ply = game.status(position), position.ply
    if status is not Status.PLAYING:
        sign = {Status.CIRCLE: 1, Status.CROSS: -1, Status.DRAW: 0}[status]
        score_sv = sign * (1 + (game.cells - ply) // 2)
        yield Judged(
            line, sign, score_sv, score_sv, 0, [], [], [],
            status is Status.CIRCLE, status is Status.CROSS,
        )  # fmt: skip
        return
    moves = game.legal_moves(position)
    children: list[Judged] = []
    for move in moves:
        child = None
        for child in _judge(game, game.play(position, move), line * 10 + move + 1):
            yield child
        assert child
        children.append(child)
    best, mover = (max, 1) if ply % 2 == 0 else (min, -1)
    score = best(child.score for child in children)
    score_sv = best(child.score_sv for child in children)
    plies = [child.distance for child in children if child.score == score]
    node = Judged(
        line=line,
        score=score,
        score_sv=score_sv,
        score_svrd=score_sv,
        distance=1 + (min(plies) if score == mover else max(plies)),
        best_moves=_moves_to(moves, [child.score for child in children], score),
        best_moves_sv=_moves_to(moves, [child.score_sv for child in children], score_sv),
        best_moves_svrd=_moves_to(
            moves,
            [child.score_svrd for child in children],
            best(child.score_svrd for child in children),
        ),
        circle_can_win=any(child.circle_can_win for child in children),
        cross_can_win=any(child.cross_can_win for child in children),
    )
    if score_sv == 0 and ply % 2 == 1 and node.circle_can_win:
        node.score_svrd = 0.5
    elif score_sv == 0 and ply % 2 == 0 and node.cross_can_win:
        node.score_svrd = -0.5
    yield node


def _moves_to(moves: tuple[int, ...], scores: list[float], goal: float) -> list[int]:
    return [move for move, score in zip(moves, scores, strict=True) if score == goal]
