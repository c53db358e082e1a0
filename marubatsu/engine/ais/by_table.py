"""Perfect play, looked up in a table of best moves: one AI for each of the three scores."""

from collections.abc import Callable
from functools import lru_cache

from marubatsu.engine.ais.ai import AI, Chooser, register
from marubatsu.engine.ais.by_evaluation import chooser_by
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import enumerate_positions

SCORES = {"perfect": "score", "perfect_sv": "score_sv", "perfect_svrd": "score_svrd"}
"""The score by which each of these AIs chooses."""


def _looking_up(score: str) -> Callable[[Game], Chooser]:
    def build(game: Game) -> Chooser:
        scores = _scores(game, score)  # An evaluation is in the view of the side that moved.
        return chooser_by(lambda state: -state.board.turn.sign * scores[state.board.position()])

    return build


@lru_cache(len(SCORES))
def _scores(game: Game, score: str) -> dict[Position, float]:
    positions = enumerate_positions(game)
    return dict(zip(positions, getattr(score_positions(positions), score).tolist(), strict=True))


for _name, _score in SCORES.items():
    _rule = f"Take the moves whose child has the best {_score}."
    register(AI(_name, "table", _rule, _looking_up(_score)))
