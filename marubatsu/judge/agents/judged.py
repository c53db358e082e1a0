"""What an oracle says about moves of a game, in the words of their movers."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from marubatsu.engine.rules.position import Position
from marubatsu.judge.oracle.answer import Answer, BoundedAnswer, BoundedMove, Move, result
from marubatsu.judge.oracle.oracle import Oracle

NOT_PROVED = "not proved in time"

_BOUNDS = {(0, 1): "draws or wins", (-1, 0): "loses or draws", (-1, 1): NOT_PROVED}
"""What is told of results between two others."""


@dataclass(frozen=True)
class JudgedMove:
    """A move that was made: its result for the mover, and what a best move would have led to.

    ``loss`` is None where the time was up before it was known; ``best_moves`` are those that are
    proved to lose nothing.
    """

    result: str
    loss: int | None
    best_moves: tuple[int, ...]
    best_result: str


def result_text(position: Position, of: Answer | BoundedAnswer | Move | BoundedMove) -> str:
    """Tell what a position or one of its moves leads to: it wins, draws or loses, for the mover."""
    ends = (of.at_least, of.at_most) if isinstance(of, BoundedAnswer | BoundedMove) else [of.score]
    sign = position.turn.sign
    scores = sorted(sign * ((end > 0) - (end < 0)) for end in ends)
    low, high = scores[0], scores[-1]
    return result(low) if low == high else _BOUNDS[low, high]


def judged(
    oracle: Oracle,
    made: Iterable[tuple[Position, int]],
    look: Callable[[float], None] = lambda share: None,
) -> list[JudgedMove]:
    """Judge the moves of a game, each given with the position before it.

    The last is judged first: a search remembers what it finds there. ``look`` is called with the
    share that is done.
    """
    moves = list(made)
    found = []
    for number, (position, move) in enumerate(reversed(moves)):
        look(number / len(moves))
        answer = oracle.within(position)
        (its,) = (each for each in answer.moves if each.move == move)
        best = result_text(position, answer)
        found.append(JudgedMove(result_text(position, its), its.loss, answer.best_moves, best))
    return found[::-1]
