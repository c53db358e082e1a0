"""ai1 to ai7: a rule names the moves that the AI may choose (tutorial series, episodes 9 to 47).

To add one, write a function from a board to its candidates, with the rule as its docstring.
"""

from collections.abc import Sequence
from typing import Any

from marubatsu.engine.ais.ai import AI, Chooser, Rule, register
from marubatsu.engine.boards.board import Board


def rule(choose: Rule) -> Rule:
    """Register a rule as an AI of the same name."""
    chooser = Chooser(choose)
    register(AI(choose.__name__, "rule", choose.__doc__ or "", lambda game: chooser))
    return choose


@rule
def ai1(board: Board[Any]) -> Sequence[Any]:
    """Take the first empty cell in row order."""
    return board.legal_moves()[:1]


@rule
def ai2(board: Board[Any]) -> Sequence[Any]:
    """Take any cell."""
    return board.legal_moves()


@rule
def ai3(board: Board[Any]) -> Sequence[Any]:
    """Take the centre if it is empty, else any cell."""
    legal = board.legal_moves()
    return [board.centre] if board.centre in legal else legal


@rule
def ai4(board: Board[Any]) -> Sequence[Any]:
    """Take the centre if it is empty, else the first empty corner, else any cell."""
    legal = board.legal_moves()
    if board.centre in legal:
        return [board.centre]
    return [corner for corner in board.corners if corner in legal][:1] or legal


@rule
def ai5(board: Board[Any]) -> Sequence[Any]:
    """Take the first cell that wins at once, else any cell."""
    legal = board.legal_moves()
    return list(filter(board.wins, legal))[:1] or legal


@rule
def ai6(board: Board[Any]) -> Sequence[Any]:
    """Win at once, else prevent the opponent's first win at once, else take any cell."""
    legal = board.legal_moves()
    wins = list(filter(board.wins, legal))[:1]
    return wins or list(filter(board.opponent_wins, legal))[:1] or legal


@rule
def ai7(board: Board[Any]) -> Sequence[Any]:
    """Take the centre if it is empty, else do as ai6."""
    return [board.centre] if board.centre in board.legal_moves() else ai6(board)
