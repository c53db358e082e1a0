"""Answers from the tables of a small game."""

from marubatsu.engine.rules.board_text import from_text
from marubatsu.pipeline.oracle.answer import Answer, Move
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.sql.query_files import lookup
from marubatsu.pipeline.support.errors import UsageError

_OF_ANSWER = ("board", "ply", "turn", "status", "score", "distance", "orbit")


class TableOracle:
    """The tables of a game, which answer about one position at a time."""

    def __init__(self, catalog: Catalog) -> None:
        """Take an open catalog."""
        self._catalog = catalog

    def answer(self, board: str) -> Answer:
        """Return what the tables hold about a board.

        Raises BoardError or UsageError when play cannot reach the position.
        """
        game = self._catalog.data_set.game
        from_text(game, board)
        found = self._catalog.ask(lookup("position_of_board"), board).records()
        if not found:
            raise UsageError(f"no game of {game.name} reaches {board!r}")
        (facts,) = found
        moves = self._catalog.ask(lookup("moves_of_position"), facts["position"]).records()
        return Answer(
            game=game,
            class_=facts.pop("class"),
            moves=tuple(Move(**move) for move in moves),
            **{name: facts.pop(name) for name in _OF_ANSWER},
            facts=facts,
        )
