"""ai1 to ai7: a rule names the moves that the AI may choose (tutorial series, episodes 9 to 47).

To add one, write a function from a position to its candidates, with the rule as its docstring.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from engine.ais.ai import AI, Choice, Chooser, register
from engine.ais.position import Position
from engine.game import Game

Rule: TypeAlias = Callable[[Position], Sequence[int]]


def rule(choose: Rule) -> Rule:
    """Register a rule as an AI of the same name."""

    def build(game: Game) -> Chooser:
        return lambda position: Choice(position.legal, tuple(choose(position)))

    register(AI(choose.__name__, "rule", choose.__doc__ or "", build))
    return choose


@rule
def ai1(position: Position) -> Sequence[int]:
    """Take the first empty cell in row order."""
    return position.legal[:1]


@rule
def ai2(position: Position) -> Sequence[int]:
    """Take any cell."""
    return position.legal


@rule
def ai3(position: Position) -> Sequence[int]:
    """Take the centre if it is empty, else any cell."""
    return position.legal if position.centre is None else [position.centre]


@rule
def ai4(position: Position) -> Sequence[int]:
    """Take the centre if it is empty, else the first empty corner, else any cell."""
    if position.centre is not None:
        return [position.centre]
    return [c for c in position.game.corners if c in position.legal][:1] or position.legal


@rule
def ai5(position: Position) -> Sequence[int]:
    """Take the first cell that wins at once, else any cell."""
    return list(filter(position.wins, position.legal))[:1] or position.legal


@rule
def ai6(position: Position) -> Sequence[int]:
    """Win at once, else prevent the opponent's first win at once, else take any cell."""
    wins = list(filter(position.wins, position.legal))[:1]
    return wins or list(filter(position.opponent_wins, position.legal))[:1] or position.legal


@rule
def ai7(position: Position) -> Sequence[int]:
    """Take the centre if it is empty, else do as ai6."""
    return ai6(position) if position.centre is None else [position.centre]
