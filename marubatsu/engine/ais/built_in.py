"""The built-in AIs but for searches: by rule, by evaluation, and by a table of best moves.

ai1 to ai7 (tutorial series, episodes 9 to 47): a rule names the moves that the AI may choose. To
add one, write a function from a board to its candidates, with the rule as its docstring.

ai1s to ai14s (episodes 48 to 79): play each legal move, evaluate the position after it, take the
best ones. A value is high when the position is good for the player who just moved. To add one,
write a function from that position and its weights to a value, with the rule as its docstring. A
function tests its conditions in the order of its lines.

The others play perfectly, one for each of the three scores.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, TypeAlias

from marubatsu.engine.ais.ai import AI, Afterstate, Chooser, Number, Rule, register, weighed
from marubatsu.engine.boards.board import Board
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import enumerate_positions


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


Evaluation: TypeAlias = Callable[..., Number]
"""A function from an afterstate, and weights by name, to its value for the player who moved."""


def evaluation(evaluate: Evaluation) -> Evaluation:
    """Register an evaluation as an AI of the same name, its weights as parameters."""

    def build(game: Game, **weights: Any) -> Chooser:
        return Chooser.by_evaluation(weighed(evaluate, weights))

    name, rule = evaluate.__name__, evaluate.__doc__ or ""
    weights = getattr(evaluate, "__kwdefaults__", None) or {}
    register(AI(name, "evaluation", rule, build, tuple(weights.items()), evaluate))
    return evaluate


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


SCORES = {"perfect": "score", "perfect_sv": "score_sv", "perfect_svrd": "score_svrd"}
"""The score by which each of these AIs chooses."""


def _perfect(score: str, game: Game) -> Chooser:
    scores = _scores(game, score)  # An evaluation is in the view of the side that moved.
    return Chooser.by_evaluation(
        lambda state: -state.board.turn.sign * scores[state.board.position()]
    )


@lru_cache(len(SCORES))
def _scores(game: Game, score: str) -> dict[Position, float]:
    positions = enumerate_positions(game)
    return dict(zip(positions, getattr(score_positions(positions), score).tolist(), strict=True))


for _name, _score in SCORES.items():
    _rule = f"Take the moves whose child has the best {_score}."
    register(AI(_name, "table", _rule, partial(_perfect, _score)))
