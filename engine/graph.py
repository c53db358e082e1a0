"""The positions of a game as they are met: each gets a number, its moves and its class."""

from collections.abc import Callable
from functools import cache

from engine.game import Game, Status, bits, circle_to_move
from engine.symmetry import symmetries


class Graph:
    """Positions by number, in the order in which they are met; every list is indexed by it."""

    def __init__(self, game: Game) -> None:
        """Start with no position."""
        self.game = game
        self.circle: list[int] = []
        self.cross: list[int] = []
        self.ply: list[int] = []
        self.status: list[Status] = []
        self.class_: list[int] = []  # number of the class, in the order in which they are met
        self.orbit: list[int] = []  # members, by class
        self._symmetry: list[int] = []  # first one that takes the position to its least image
        self._edges: list[tuple[tuple[int, int], ...] | None] = []
        self._numbers: dict[tuple[int, int], int] = {}
        self._classes: dict[tuple[int, int], int] = {}
        self._symmetries = symmetries(game)
        self._images: Callable[[int], tuple[int, ...]] = cache(
            lambda mask: tuple(symmetry.of_mask(mask) for symmetry in self._symmetries)
        )

    def number(self, circle: int, cross: int) -> int:
        """Return the number of a position."""
        known = self._numbers.get((circle, cross))
        if known is not None:
            return known
        number = self._numbers[circle, cross] = len(self.circle)
        self.circle.append(circle)
        self.cross.append(cross)
        self.ply.append((circle | cross).bit_count())
        self.status.append(self.game.status(circle, cross))
        images = list(zip(self._images(circle), self._images(cross), strict=True))
        least = min(images)
        if least not in self._classes:
            self._classes[least] = len(self.orbit)
            self.orbit.append(len(set(images)))
        self.class_.append(self._classes[least])
        self._symmetry.append(images.index(least))
        self._edges.append(None)
        return number

    def edges(self, node: int) -> tuple[tuple[int, int], ...]:
        """Return the legal moves of a position, ascending, each with the position after it."""
        edges = self._edges[node]
        if edges is None:
            edges = self._edges[node] = tuple(self._moves(node))
        return edges

    def _moves(self, node: int) -> list[tuple[int, int]]:
        if self.status[node] is not Status.PLAYING:
            return []
        circle, cross = self.circle[node], self.cross[node]
        moves = bits(self.game.open_cells(circle | cross))
        if circle_to_move(circle | cross):
            return [(move, self.number(circle | 1 << move, cross)) for move in moves]
        return [(move, self.number(circle, cross | 1 << move)) for move in moves]

    def image_of_move(self, node: int, move: int) -> int:
        """Return where a move of a position goes on the least image of that position."""
        return self._symmetries[self._symmetry[node]].image[move]
