"""Perfect play, looked up in a table of best moves: one AI for each of the three scores."""

from collections.abc import Callable
from functools import lru_cache

from engine.ais.ai import AI, Choice, Chooser, register
from engine.ais.position import Position
from engine.game import Game, circle_to_move
from engine.positions import enumerate_positions
from engine.solve import solve

SCORES = {"perfect": "score", "perfect_sv": "score_sv", "perfect_svrd": "score_svrd"}
"""The score that each of these AIs goes by."""


def _looking_up(score: str) -> Callable[[Game], Chooser]:
    def build(game: Game) -> Chooser:
        scores = _scores(game, score)

        def choose(position: Position) -> Choice:
            circle, cross = position.circle, position.cross
            side = 1 if circle_to_move(circle | cross) else -1
            after = (position.after(move) for move in position.legal)
            return Choice.by_value(
                position.legal, [side * scores[child.circle, child.cross] for child in after]
            )

        return choose

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
