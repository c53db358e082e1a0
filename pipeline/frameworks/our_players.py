"""An AI that plays, position by position: it draws one of its candidates."""

from random import Random

from marubatsu.engine.ais.ai import AI, Weighted, draw
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position


class AIPlayer:
    """An AI on one game, and the random numbers by which it draws."""

    def __init__(self, game: Game, ai: AI, random: Random) -> None:
        """Prepare the AI. Raises TooLargeError for a game that it cannot play."""
        self.game = game
        self._chooser, self._board, self._random = ai.on(game), new_board(game), random

    def move(self, position: Position) -> int:
        """Draw the cell that it fills in an unfinished position.

        Raises AIError when the AI fails, DataError when its data is damaged.
        """
        self._board.set_up(position)
        drawn = draw(self._chooser.candidates(self._board), self._random)
        return self._board.cell_of(drawn)

    def chances(self, position: Position) -> dict[int, float]:
        """Return the chance of each legal move of an unfinished position. Raises as `move` does."""
        self._board.set_up(position)
        choice = self._chooser.choice(self._board)
        candidates = choice.candidates
        weights = candidates.weights if isinstance(candidates, Weighted) else (1,) * len(candidates)
        chances = dict.fromkeys(choice.legal, 0.0)
        for cell, weight in zip(candidates, weights, strict=True):
            chances[cell] += weight / sum(weights)
        return chances
