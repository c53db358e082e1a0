"""An AI from a user's function: from a board as text and the legal moves to its choice."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from marubatsu.engine.ais.ai import AI, AIError, Chooser, Number
from marubatsu.engine.boards.board import Board

Choose: TypeAlias = Callable[[str, list[int]], Any]
"""A function that returns a move, the moves it may choose, or a mapping from moves to scores."""


def ai_of(choose: Choose) -> AI:
    """Make an AI from a function that is called in this process.

    The moves that it returns are its candidates. Of a mapping, they are the moves with the greatest
    score, and an ordering sorts by score. An empty choice or an illegal move raises AIError.
    """
    name = getattr(choose, "__qualname__", type(choose).__name__)

    def ai_scores(board: Board[Any], legal: Sequence[Any]) -> list[Number]:
        cells = [board.cell_of(move) for move in legal]
        answer = choose(board.text(), cells.copy())
        scores = _scores(answer)
        if not scores or not scores.keys() <= set(cells):
            raise AIError(
                f"{name} chose {answer!r} on {board.text()}: expected moves among "
                f"{', '.join(map(str, cells))}"
            )
        unnamed = min(scores.values()) - 1
        return [scores.get(cell, unnamed) for cell in cells]

    rule = "A function of somebody's own."
    return AI(name, "foreign", rule, lambda game: Chooser.by_score(ai_scores))


def _scores(answer: Any) -> dict[int, Number]:
    """Return the named moves with their scores; without scores, each has score 1."""
    if isinstance(answer, Mapping):
        return dict(answer)
    return dict.fromkeys(answer if isinstance(answer, Iterable) else [answer], 1)
