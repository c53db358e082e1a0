"""Answers from the solution of a large game."""

from marubatsu.engine.rules.board_text import from_text, to_text
from marubatsu.engine.rules.position import Status
from marubatsu.engine.rules.symmetry import orbit
from marubatsu.pipeline.oracle.answer import Answer, Move
from marubatsu.pipeline.solution.lookup import Lookup


class SolutionOracle:
    """A solution that answers about one position at a time."""

    def __init__(self, lookup: Lookup) -> None:
        """Take an open solution."""
        self._lookup = lookup

    def answer(self, board: str) -> Answer:
        """Return what the solution holds about a board.

        Raises BoardError or UsageError when play cannot reach the position, DataError when a file
        is damaged.
        """
        game = self._lookup.keys.game
        position = from_text(game, board)
        row = self._lookup.row(position)
        status, sign = game.status(position), position.turn.sign
        return Answer(
            game=game,
            board=board,
            ply=position.ply,
            turn=position.turn.word if status is Status.PLAYING else None,
            status=status.word,
            score=sign * row.score_mover,
            distance=row.distance,
            orbit=len(orbit(game, position)),
            class_=None,
            moves=tuple(
                Move(
                    move=each.move,
                    board_after=to_text(game, each.after),
                    score=sign * each.score_mover,
                    score_sv=None,
                    distance=each.distance,
                    loss=each.loss,
                    is_best=each.loss == 0,
                    is_best_sv=each.is_fastest,
                )
                for each in self._lookup.moves(position)
            ),
            facts={"key": row.key},
        )
