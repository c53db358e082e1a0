"""Perfect play, looked up in a table of best moves: one AI for each of the three scores."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from marubatsu.engine.ais.ai import AI, Chooser, Value, register
from marubatsu.engine.boards.board import CIRCLE, Board
from marubatsu.engine.rules.game import Game
from marubatsu.engine.tree.induction import solve
from marubatsu.engine.tree.positions import enumerate_positions

SCORES = {"perfect": "score", "perfect_sv": "score_sv", "perfect_svrd": "score_svrd"}
"""The score that each of these AIs goes by."""


def _looking_up(score: str) -> Callable[[Game], Chooser]:
    def build(game: Game) -> Chooser:
        scores = _scores(game, score)

        def values(board: Board[Any], legal: Sequence[Any]) -> list[Value]:
            side = 1 if board.turn == CIRCLE else -1
            worth: list[Value] = []
            for move in legal:
                board.make(move)
                worth.append(side * scores[board.masks()])
                board.unmake()
            return worth

        return Chooser.by_value(values)

    return build


@lru_cache(len(SCORES))
def _scores(game: Game, score: str) -> dict[tuple[int, int], float]:
    """Solve a game. Raises TooLargeError when it has too many positions."""
    positions = enumerate_positions(game)
    keys = zip(positions.circle.tolist(), positions.cross.tolist(), strict=True)
    return dict(zip(keys, getattr(solve(positions), score).tolist(), strict=True))


for _name, _score in SCORES.items():
    register(
        AI(
            _name,
            "table",
            f"Take the moves whose child has the best {_score}.",
            _looking_up(_score),
        )
    )
