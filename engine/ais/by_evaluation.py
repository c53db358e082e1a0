"""ai1s to ai14s: play each legal move, evaluate the position after it, take the best ones.

A value is high when the position is good for the player who just moved (tutorial series, episodes
48 to 79). To add an AI, write a function from that position and its weights to a value, with the
rule as its docstring; conditions are tested in the order of the lines.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from marubatsu.engine.ais.afterstate import After
from marubatsu.engine.ais.ai import AI, Chooser, Value, register
from marubatsu.engine.boards.board import Board
from marubatsu.engine.rules.game import Game

Evaluation: TypeAlias = Callable[..., Value]
"""From the position after a move, and weights by name, to its value for who just moved."""

_EVALUATIONS: dict[str, Evaluation] = {}


def evaluation(evaluate: Evaluation) -> Evaluation:
    """Register an evaluation as an AI of the same name, its weights as parameters."""

    def build(game: Game, **weights: Any) -> Chooser:
        weighed = _weighed(evaluate, weights)

        def values(board: Board[Any], legal: Sequence[Any]) -> list[Value]:
            worth = []
            for move in legal:
                board.make(move)
                worth.append(weighed(After(board)))
                board.unmake()
            return worth

        return Chooser.by_value(values)

    weights = tuple(_weights(evaluate).items())
    register(AI(evaluate.__name__, "evaluation", evaluate.__doc__ or "", build, parameters=weights))
    _EVALUATIONS[evaluate.__name__] = evaluate
    return evaluate


def _weights(evaluate: Evaluation) -> dict[str, Value]:
    return getattr(evaluate, "__kwdefaults__", None) or {}


def _weighed(evaluate: Evaluation, weights: Mapping[str, Value]) -> Callable[[After], Value]:
    """Fix the weights; those that are not changed are not worth passing a million times."""
    changed = {name: value for name, value in weights.items() if value != _weights(evaluate)[name]}
    return partial(evaluate, **changed) if changed else evaluate


def evaluation_of(ai: AI) -> Callable[[After], Value]:
    """Return how an AI of this family values a position. Raises KeyError for other families."""
    return _weighed(_EVALUATIONS[ai.name], dict(ai.parameters))  # type: ignore[arg-type]


def _lines_left(after: After, score_201: Value, score_102: Value, score_012: Value) -> Value:
    """Count what the lines promise; two lines that lack one mark promise no more than none."""
    threat = score_201 if after.own2 == 1 else 0
    return threat + score_102 * after.own1 + score_012 * after.opp1


@evaluation
def ai1s(after: After) -> Value:
    """Take the first empty cell in row order: the earlier a cell, the more it is worth."""
    return 0 if after.move is None else after.game.cells - 1 - after.move


@evaluation
def ai2s(after: After) -> Value:
    """Take any cell: every position is worth nothing."""
    return 0


@evaluation
def ai3s(after: After) -> Value:
    """Take the centre: it is worth 1, every other cell nothing."""
    return int(after.took_centre)


@evaluation
def ai4s(after: After) -> Value:
    """Take the centre, else the first empty corner in row order, else any cell."""
    if after.took_centre:
        return after.game.cells + 1
    return after.game.cells - (after.move or 0) if after.took_corner else 0


@evaluation
def ai5s(after: After) -> Value:
    """Win at once: that is worth 1, everything else nothing."""
    return int(after.won)


@evaluation
def ai6s(after: After, *, score_victory: Value = 1, score_defeat: Value = -1) -> Value:
    """Win at once, and leave no line that the opponent can complete."""
    if after.won:
        return score_victory
    return score_defeat if after.threats else 0


@evaluation
def ai7s(
    after: After,
    *,
    score_centre: Value = 2,
    score_victory: Value = 1,
    score_defeat: Value = -1,
) -> Value:
    """Take the centre, else do as ai6s."""
    if after.took_centre:
        return score_centre
    return ai6s(after, score_victory=score_victory, score_defeat=score_defeat)


@evaluation
def ai8s(
    after: After,
    *,
    score_centre: Value = 3,
    score_victory: Value = 2,
    score_defeat: Value = -1,
    score_201: Value = 1,
) -> Value:
    """Do as ai7s, and threaten to complete a line."""
    if after.took_centre:
        return score_centre
    if after.won:
        return score_victory
    if after.threats:
        return score_defeat
    return score_201 if after.own2 else 0


@evaluation
def ai9s(
    after: After,
    *,
    score_centre: Value = 4,
    score_victory: Value = 3,
    score_sure_victory: Value = 2,
    score_defeat: Value = -1,
    score_201: Value = 1,
) -> Value:
    """Do as ai8s, and prefer to threaten two lines at once."""
    if after.took_centre:
        return score_centre
    if after.won:
        return score_victory
    if after.threats:
        return score_defeat
    if after.own2 >= 2:
        return score_sure_victory
    return score_201 if after.own2 else 0


@evaluation
def ai10s(
    after: After,
    *,
    score_centre: Value = 300,
    score_victory: Value = 200,
    score_sure_victory: Value = 100,
    score_defeat: Value = -100,
    score_201: Value = 1,
    score_102: Value = 1,
) -> Value:
    """Do as ai9s, and count the lines that are still one's own."""
    if after.took_centre:
        return score_centre
    if after.won:
        return score_victory
    if after.threats:
        return score_defeat
    if after.own2 >= 2:
        return score_sure_victory
    return _lines_left(after, score_201, score_102, 0)


@evaluation
def ai11s(
    after: After,
    *,
    score_centre: Value = 300,
    score_victory: Value = 200,
    score_sure_victory: Value = 100,
    score_defeat: Value = -100,
    score_201: Value = 2,
    score_102: Value = 0.5,
    score_012: Value = -1,
) -> Value:
    """Do as ai10s with other weights, and count the opponent's lines against it."""
    if after.took_centre:
        return score_centre
    if after.won:
        return score_victory
    if after.threats:
        return score_defeat
    if after.own2 >= 2:
        return score_sure_victory
    return _lines_left(after, score_201, score_102, score_012)


@evaluation
def ai12s(
    after: After,
    *,
    score_victory: Value = 300,
    score_sure_victory: Value = 200,
    score_defeat: Value = -100,
    score_special: Value = 100,
    score_201: Value = 2,
    score_102: Value = 0.5,
    score_012: Value = -1,
) -> Value:
    """Do as ai11s without the centre, and answer two opposite corners with an edge."""
    if after.won:
        return score_victory
    if after.threats:
        return score_defeat
    if after.own2 >= 2:
        return score_sure_victory
    if after.special:
        return score_special
    return _lines_left(after, score_201, score_102, score_012)


@evaluation
def ai13s(
    after: After,
    *,
    score_victory: Value = 300,
    score_sure_victory: Value = 200,
    score_defeat: Value = -100,
    score_special: Value = 100,
    score_201: Value = 2,
    score_102: Value = 0.5,
    score_012: Value = -1,
) -> Value:
    """Do as ai12s, and mind how many lines the opponent can complete."""
    if after.won:
        return score_victory
    if after.threats:
        return score_defeat * after.threats
    if after.own2 >= 2:
        return score_sure_victory
    if after.special:
        return score_special
    return _lines_left(after, score_201, score_102, score_012)


@evaluation
def ai14s(
    after: After,
    *,
    score_victory: Value = 300,
    score_sure_victory: Value = 200,
    score_defeat: Value = -100,
    score_special: Value = 100,
    score_201: Value = 2,
    score_102: Value = 0.5,
    score_012: Value = -1,
) -> Value:
    """Do as ai13s, and tell lost positions apart by the lines that are left."""
    if after.won:
        return score_victory
    if not after.threats and after.own2 >= 2:
        return score_sure_victory
    if after.special:
        return score_special
    return score_defeat * after.threats + _lines_left(after, score_201, score_102, score_012)
