"""What the stages of one build share: each result is computed once, when first asked for."""

from collections.abc import Callable
from functools import cached_property

from engine.classes import Classes, classify
from engine.game import Game
from engine.positions import Positions, enumerate_positions
from engine.solve import Solution, solve


class Workshop:
    """The half-finished results of one game."""

    def __init__(self, game: Game, progress: Callable[[float], None] = lambda share: None) -> None:
        """Start with nothing computed; ``progress`` hears the share of positions reached."""
        self.game = game
        self._progress = progress

    @cached_property
    def positions(self) -> Positions:
        """The game's positions. Raises TooLargeError when there are too many."""
        return enumerate_positions(self.game, progress=self._progress)

    def require_positions(self) -> None:
        """Raise TooLargeError now rather than later when the game has too many positions."""
        _ = self.positions

    @cached_property
    def classes(self) -> Classes:
        """The positions up to symmetry."""
        positions = self.positions
        self._progress(1.0)
        return classify(positions)

    @cached_property
    def solution(self) -> Solution:
        """The positions' scores."""
        positions = self.positions
        self._progress(1.0)
        return solve(positions)
