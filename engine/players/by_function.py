"""AIs and orderings that are somebody's functions: from a board as text and the legal moves."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from marubatsu.engine.ais.ai import AI, AIError, Chooser, Number
from marubatsu.engine.boards.board import Board

Choose: TypeAlias = Callable[[str, list[int]], Any]
"""An AI as users write it: it takes a board as text and the legal moves, and returns a move, the
moves that it may choose, or moves with weights, which are chances."""

Rank: TypeAlias = Callable[[str, list[int]], Any]
"""An ordering as users write it: it returns the moves to search first, or moves with scores."""


def ai_of(choose: Choose) -> AI:
    """Make an AI of a function that is called in this process.

    It plays one of the moves that the function returns, each with the same chance. Raises AIError,
    when it plays, for illegal moves and for moves with different weights.
    """

    def ai_scores(board: Board[Any], legal: Sequence[Any]) -> list[Number]:
        scores = _scores(choose, board, legal)
        if len(set(scores.values())) > 1:
            raise AIError(
                f"{_name(choose)} weighs its moves on {board.text()}: a match plays all of them "
                "with the same chance; return the moves without weights"
            )
        return [1 if board.cell_of(move) in scores else 0 for move in legal]

    return _foreign(choose, ai_scores)


def ordering_of(rank: Rank) -> AI:
    """Make an ordering of a function that is called in this process.

    Moves with scores are ordered by them, those without a score last. Without scores, the returned
    moves stand before the others. Raises AIError, when it orders, for illegal moves.
    """

    def ai_scores(board: Board[Any], legal: Sequence[Any]) -> list[Number]:
        scores = _scores(rank, board, legal)
        unnamed = min(scores.values()) - 1
        return [scores.get(board.cell_of(move), unnamed) for move in legal]

    return _foreign(rank, ai_scores)


def _foreign(function: Choose, ai_scores: Callable[..., list[Number]]) -> AI:
    rule = "A function of the user."
    return AI(_name(function), "foreign", rule, lambda game: Chooser.by_score(ai_scores))


def _scores(function: Choose, board: Board[Any], legal: Sequence[Any]) -> dict[int, Number]:
    """Return the moves that a function names, with their scores, 1 where it gives none."""
    cells = [board.cell_of(move) for move in legal]
    answer = function(board.text(), cells.copy())
    if isinstance(answer, Mapping):
        scores = dict(answer)
    else:
        scores = dict.fromkeys(answer if isinstance(answer, Iterable) else [answer], 1)
    if not scores or not scores.keys() <= set(cells):
        raise AIError(
            f"{_name(function)} chose {answer!r} on {board.text()}: expected moves among "
            f"{', '.join(map(str, cells))}"
        )
    return scores


def _name(function: Choose) -> str:
    return getattr(function, "__qualname__", type(function).__name__)
