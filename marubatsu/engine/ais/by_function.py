"""AIs, orderings and evaluations from users' functions, called in this or another process.

A fault instead of legal moves raises FailedError.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from marubatsu.engine.ais.ai import AI, Afterstate, Chooser, FailedError, Number, Weighted
from marubatsu.engine.ais.reply import Fault, Reply
from marubatsu.engine.boards.board import Board

Choose: TypeAlias = Callable[..., Any]
"""An AI as users write it: it takes a board as text and the legal moves, and returns a move, the
moves that it may choose, moves with chances, or a chance for every cell. An ordering takes the
same, and returns moves, the first to search first, or moves with scores. An evaluation takes a
board, and returns how good it is for the player who just moved."""


@dataclass(frozen=True)
class EvaluationAI:
    """An evaluation that plays: its candidates are the moves to the boards that it values most."""

    value: Choose

    def __call__(self, board: str) -> Any:
        """Return the value of a board."""
        return self.value(board)


Ask: TypeAlias = Callable[[str, list[int]], Reply | Fault]
"""A function of a board and its legal moves to some of these, or to a fault."""
Value: TypeAlias = Callable[[str], Number | Fault]

FAMILY = "foreign"


def ai_of(name: str, ask: Ask, rule: str = "A function or program of the user.") -> AI:
    """Make an AI that plays one of the moves it answers, by their weights if it gives any."""

    def candidates(board: Board[Any]) -> Sequence[Any]:
        reply = _reply(name, ask, board, board.legal_moves())
        if reply.weights is None:
            return [board.move_of(cell) for cell in sorted(set(reply.moves))]
        return Weighted(map(board.move_of, reply.moves), reply.weights)

    chooser = Chooser(candidates, is_fixed=False)
    return AI(name, FAMILY, rule, lambda game: chooser)


def ordering_of(name: str, rank: Ask) -> AI:
    """Make an ordering by the scores of moves, the greatest first.

    Moves that the reply leaves out come last, in ascending order.
    """

    def ai_scores(board: Board[Any], legal: Sequence[Any]) -> list[Number]:
        reply = _reply(name, rank, board, legal)
        assert reply.weights
        scores = dict(zip(reply.moves, reply.weights, strict=True))
        unnamed = min(scores.values()) - 1
        return [scores.get(board.cell_of(move), unnamed) for move in legal]

    rule = "An ordering of the user."
    return AI(name, FAMILY, rule, lambda game: Chooser.by_score(ai_scores))


def evaluation_by(name: str, value: Value) -> AI:
    """Make an evaluation of a value for the player who just moved."""

    def evaluate(state: Afterstate) -> Number:
        number = value(state.board.text())
        if isinstance(number, Fault):
            raise FailedError(name, state.board.text(), number)
        return number

    rule = "An evaluation of the user."
    return AI(name, FAMILY, rule, lambda game: Chooser.by_evaluation(evaluate), evaluate=evaluate)


def _reply(name: str, ask: Ask, board: Board[Any], legal: Sequence[Any]) -> Reply:
    reply = ask(board.text(), [board.cell_of(move) for move in legal])
    if isinstance(reply, Fault):
        raise FailedError(name, board.text(), reply)
    return reply
