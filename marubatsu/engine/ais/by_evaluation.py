"""ai1s to ai14s: play each legal move, evaluate the position after it, take the best ones.

A value is high when the position is good for the player who just moved (tutorial series, episodes
48 to 79). To add an AI, write a function from that position and its weights to a value, with the
rule as its docstring. A function tests its conditions in the order of its lines.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from marubatsu.engine.ais.afterstate import Afterstate
from marubatsu.engine.ais.ai import AI, Chooser, Number, register
from marubatsu.engine.boards.board import Board
from marubatsu.engine.rules.game import Game

Evaluation: TypeAlias = Callable[..., Number]
"""A function from an afterstate, and weights by name, to its value for the player who moved."""


def evaluation(evaluate: Evaluation) -> Evaluation:
    """Register an evaluation as an AI of the same name, its weights as parameters."""

    def build(game: Game, **weights: Any) -> Chooser:
        return chooser_by(_weighed(evaluate, weights))

    name, rule = evaluate.__name__, evaluate.__doc__ or ""
    register(AI(name, "evaluation", rule, build, tuple(_weights(evaluate).items()), evaluate))
    return evaluate


def chooser_by(evaluate: Callable[[Afterstate], Number]) -> Chooser:
    """Return a chooser of the moves whose afterstates have the greatest value."""

    def ai_scores(board: Board[Any], legal: Sequence[Any]) -> list[Number]:
        scores = []
        for move in legal:
            board.make(move)
            scores.append(evaluate(Afterstate(board)))
            board.unmake()
        return scores

    return Chooser.by_score(ai_scores)


def _weights(evaluate: Evaluation) -> dict[str, Number]:
    return getattr(evaluate, "__kwdefaults__", None) or {}


def _weighed(evaluate: Evaluation, weights: Mapping[str, Number]) -> Callable[[Afterstate], Number]:
    """Fix the changed weights; passing default weights at every call would cost time."""
    changed = {name: value for name, value in weights.items() if value != _weights(evaluate)[name]}
    return partial(evaluate, **changed) if changed else evaluate


def evaluation_of(ai: AI) -> Callable[[Afterstate], Number]:
    """Return the evaluation of an AI that has one."""
    assert ai.evaluate
    return _weighed(ai.evaluate, dict(ai.parameters))  # type: ignore[arg-type]


def _lines_left(
    state: Afterstate, score_201: Number, score_102: Number, score_012: Number
) -> Number:
    """Score the open lines; ``score_201`` counts only when exactly one line lacks one mark."""
    threat = score_201 if state.own2 == 1 else 0
    return threat + score_102 * state.own1 + score_012 * state.opp1


@evaluation
def ai1s(state: Afterstate) -> Number:
    """Take the first empty cell in row order: the earlier a cell, the more it is worth."""
    return 0 if state.move is None else state.game.cells - 1 - state.move


@evaluation
def ai2s(state: Afterstate) -> Number:
    """Take any cell: every position is worth nothing."""
    return 0


@evaluation
def ai3s(state: Afterstate) -> Number:
    """Take the centre: it is worth 1, every other cell nothing."""
    return int(state.took_centre)


@evaluation
def ai4s(state: Afterstate) -> Number:
    """Take the centre, else the first empty corner in row order, else any cell."""
    if state.took_centre:
        return state.game.cells + 1
    return state.game.cells - (state.move or 0) if state.took_corner else 0


@evaluation
def ai5s(state: Afterstate) -> Number:
    """Win at once: that is worth 1, everything else nothing."""
    return int(state.won)


@evaluation
def ai6s(state: Afterstate, *, score_victory: Number = 1, score_defeat: Number = -1) -> Number:
    """Win at once, and leave no line that the opponent can complete."""
    if state.won:
        return score_victory
    return score_defeat if state.threats else 0


@evaluation
def ai7s(
    state: Afterstate,
    *,
    score_centre: Number = 2,
    score_victory: Number = 1,
    score_defeat: Number = -1,
) -> Number:
    """Take the centre, else do as ai6s."""
    if state.took_centre:
        return score_centre
    return ai6s(state, score_victory=score_victory, score_defeat=score_defeat)


@evaluation
def ai8s(
    state: Afterstate,
    *,
    score_centre: Number = 3,
    score_victory: Number = 2,
    score_defeat: Number = -1,
    score_201: Number = 1,
) -> Number:
    """Do as ai7s, and threaten to complete a line."""
    if state.took_centre:
        return score_centre
    if state.won:
        return score_victory
    if state.threats:
        return score_defeat
    return score_201 if state.own2 else 0


@evaluation
def ai9s(
    state: Afterstate,
    *,
    score_centre: Number = 4,
    score_victory: Number = 3,
    score_sure_victory: Number = 2,
    score_defeat: Number = -1,
    score_201: Number = 1,
) -> Number:
    """Do as ai8s, and prefer to threaten two lines at once."""
    if state.took_centre:
        return score_centre
    if state.won:
        return score_victory
    if state.threats:
        return score_defeat
    if state.own2 >= 2:
        return score_sure_victory
    return score_201 if state.own2 else 0


@evaluation
def ai10s(
    state: Afterstate,
    *,
    score_centre: Number = 300,
    score_victory: Number = 200,
    score_sure_victory: Number = 100,
    score_defeat: Number = -100,
    score_201: Number = 1,
    score_102: Number = 1,
) -> Number:
    """Do as ai9s, and count the lines that are still one's own."""
    if state.took_centre:
        return score_centre
    if state.won:
        return score_victory
    if state.threats:
        return score_defeat
    if state.own2 >= 2:
        return score_sure_victory
    return _lines_left(state, score_201, score_102, 0)


@evaluation
def ai11s(
    state: Afterstate,
    *,
    score_centre: Number = 300,
    score_victory: Number = 200,
    score_sure_victory: Number = 100,
    score_defeat: Number = -100,
    score_201: Number = 2,
    score_102: Number = 0.5,
    score_012: Number = -1,
) -> Number:
    """Do as ai10s with other weights, and count the opponent's lines against it."""
    if state.took_centre:
        return score_centre
    if state.won:
        return score_victory
    if state.threats:
        return score_defeat
    if state.own2 >= 2:
        return score_sure_victory
    return _lines_left(state, score_201, score_102, score_012)


@evaluation
def ai12s(
    state: Afterstate,
    *,
    score_victory: Number = 300,
    score_sure_victory: Number = 200,
    score_defeat: Number = -100,
    score_special: Number = 100,
    score_201: Number = 2,
    score_102: Number = 0.5,
    score_012: Number = -1,
) -> Number:
    """Do as ai11s without the centre, and answer two opposite corners with an edge."""
    if state.won:
        return score_victory
    if state.threats:
        return score_defeat
    if state.own2 >= 2:
        return score_sure_victory
    if state.special:
        return score_special
    return _lines_left(state, score_201, score_102, score_012)


@evaluation
def ai13s(
    state: Afterstate,
    *,
    score_victory: Number = 300,
    score_sure_victory: Number = 200,
    score_defeat: Number = -100,
    score_special: Number = 100,
    score_201: Number = 2,
    score_102: Number = 0.5,
    score_012: Number = -1,
) -> Number:
    """Do as ai12s, and mind how many lines the opponent can complete."""
    if state.won:
        return score_victory
    if state.threats:
        return score_defeat * state.threats
    if state.own2 >= 2:
        return score_sure_victory
    if state.special:
        return score_special
    return _lines_left(state, score_201, score_102, score_012)


@evaluation
def ai14s(
    state: Afterstate,
    *,
    score_victory: Number = 300,
    score_sure_victory: Number = 200,
    score_defeat: Number = -100,
    score_special: Number = 100,
    score_201: Number = 2,
    score_102: Number = 0.5,
    score_012: Number = -1,
) -> Number:
    """Do as ai13s, and tell lost positions apart by the lines that are left."""
    if state.won:
        return score_victory
    if not state.threats and state.own2 >= 2:
        return score_sure_victory
    if state.special:
        return score_special
    return score_defeat * state.threats + _lines_left(state, score_201, score_102, score_012)
