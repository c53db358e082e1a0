"""A board with line counters keeps the weight of every line up to date, so no AI scans the board.

A circle weighs 1 and a cross run + 1, so the weight of a line, circles + (run + 1) * crosses, says
how many of each it holds. On 3x3 the top row ``o . x`` weighs 5.
"""

import sys
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, Generic, Self, TypeAlias

from marubatsu.engine.boards.board import PLAYING, Board, Move
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, bits
from marubatsu.engine.rules.symmetry import symmetries

Getters: TypeAlias = list[Callable[[Any], Any]]
"""For every symmetry, a function from a key to the key of the image."""


class CountingBoard(Board[Move]):
    """A board with line counters on or off; without them it reads its storage."""

    _storage: Any  # the marks: a list or an array

    def __init__(self, game: Game, *, count_lines: bool = False) -> None:
        """Start with the empty board; the storage must already hold it."""
        super().__init__(game)
        moves = [self.move_of(cell) for cell in range(game.cells)]
        self._counters = LineCounters(game, moves) if count_lines else None
        self._weights = weights(game)
        self._empty = self.save()

    @property
    def count_lines(self) -> bool:
        """Whether the line counters are on."""
        return self._counters is not None

    @property
    def name(self) -> str:
        return type(self).__name__ + "+counters" * self.count_lines

    def make(self, move: Move) -> None:
        if self.status is not PLAYING or not self._is_open(move):
            raise self._refusal(move)
        side = self.ply & 1
        self._put(move, side)
        if self._counters is not None:
            completed = self._counters.add(move, side)
        else:
            completed = self._looks_complete(move, side)
        self.status = (self._completing if completed else self._going_on)[self.ply]
        self.ply += 1
        self.moves.append(move)

    def unmake(self) -> None:
        if not self.moves:
            raise self._nothing_made()
        move = self.moves.pop()
        self.ply -= 1
        self.status = PLAYING
        side = self.ply & 1
        self._take(move, side)
        if self._counters is not None:
            self._counters.remove(move, side)

    def completes(self, move: Move, side: int) -> bool:
        if self._counters is not None:
            return self._counters.completes(move, side)
        return self._looks_complete(move, side)

    def patterns(self) -> Sequence[int]:
        if self._counters is not None:
            return self._counters.patterns()
        return self._looked_patterns()

    def set_up(self, position: Position) -> None:
        self.restore(self._empty)
        for side, mask in enumerate(position):
            for cell in bits(mask):
                move = self.move_of(cell)
                self._put(move, side)
                if self._counters is not None:
                    self._counters.add(move, side)
        self._shown(position.ply)

    def save(self) -> Any:
        counters = None if self._counters is None else self._counters.packed
        return self.ply, self.status, self._copy(), counters

    def restore(self, saved: Any) -> None:
        self.ply, self.status, copy, counters = saved
        self.moves.clear()
        self._paste(copy)
        if self._counters is not None:
            self._counters.packed = counters

    def new(self) -> Self:
        return type(self)(self.game, count_lines=self.count_lines)

    @abstractmethod
    def _is_open(self, move: Move) -> bool:
        """Return whether a mark may be put there, while the game goes on."""

    @abstractmethod
    def _put(self, move: Move, side: int) -> None:
        """Put a mark into the storage."""

    @abstractmethod
    def _take(self, move: Move, side: int) -> None:
        """Take a mark out of the storage."""

    def _copy(self) -> Any:
        """Return a copy of the storage."""
        return self._storage.copy()

    def _paste(self, copy: Any) -> None:
        """Overwrite the storage with a copy of it."""
        self._storage[:] = copy

    @abstractmethod
    def _looks_complete(self, move: Move, side: int) -> bool:
        """Compute `completes` from the storage, with or without the mark."""

    def _looked_patterns(self) -> Sequence[int]:
        """Compute `patterns` from the storage."""
        return super().patterns()


class LineCounters(Generic[Move]):
    """One integer holds the weights of all lines, a field for each: a move is one addition.

    A field has 8 bits, or 16 where runs are longer than 15, so that its bytes are the weights::

        o . x     a circle on cell 0 adds 1 to the fields of the three lines through it,
        . o .     a cross on cell 2 adds 4 to the fields of the three lines through that
        . . x
    """

    def __init__(self, game: Game, moves: Sequence[Move]) -> None:
        """Start with the empty board; ``moves`` lists its moves by cell."""
        self._is_wide = game.run * (game.run + 1) > 255
        width = 16 if self._is_wide else 8
        self._size = width // 8 * len(game.lines)
        self._codes = (game.run + 1) ** 2
        self._through, self._marks = _fields(game, tuple(moves), width)
        self._full = [weight * game.run for weight in weights(game)]
        self._lacks_one = [weight * (game.run - 1) for weight in weights(game)]
        self.packed = 0  # the weights

    def _held(self) -> Sequence[int]:
        """Return the weight of each line."""
        in_bytes = self.packed.to_bytes(self._size, sys.byteorder)
        return memoryview(in_bytes).cast("H") if self._is_wide else in_bytes

    def add(self, move: Move, side: int) -> bool:
        """Count a mark; return whether it completed a line."""
        self.packed += self._marks[side][move]
        return self._full[side] in self._held()

    def remove(self, move: Move, side: int) -> None:
        """Take back a mark."""
        self.packed -= self._marks[side][move]

    def completes(self, move: Move, side: int) -> bool:
        """Return whether a mark on an empty cell would complete a line."""
        line_weights, wanted = self._held(), self._lacks_one[side]
        for line in self._through[move]:  # noqa: SIM110, a generator would take twice the time
            if line_weights[line] == wanted:
                return True
        return False

    def patterns(self) -> list[int]:
        """Return the number of lines of each weight."""
        counts = [0] * self._codes
        for weight in self._held():
            counts[weight] += 1
        return counts


def weights(game: Game) -> tuple[int, int]:
    """Return the weights of a circle and of a cross in a line."""
    return 1, game.run + 1


@cache
def lines_through(game: Game) -> tuple[tuple[int, ...], ...]:
    """Return, for every cell, the numbers of the lines through it."""
    return tuple(
        tuple(number for number, line in enumerate(game.lines) if line >> cell & 1)
        for cell in range(game.cells)
    )


@cache
def _fields(
    game: Game, moves: tuple[Any, ...], width: int
) -> tuple[dict[Any, tuple[int, ...]], tuple[dict[Any, int], dict[Any, int]]]:
    """Return, for every move, its lines, and the weights that each side adds."""
    through = dict(zip(moves, lines_through(game), strict=True))
    circle, cross = (
        {move: sum(weight << width * line for line in lines) for move, lines in through.items()}
        for weight in weights(game)
    )
    return through, (circle, cross)


@cache
def others_in_line(game: Game) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return, for every cell and every line through it, the other cells of that line."""
    return tuple(
        tuple(tuple(bits(game.lines[line] & ~(1 << cell))) for line in lines)
        for cell, lines in enumerate(lines_through(game))
    )


@cache
def image_getters(game: Game, places: tuple[int, ...], keys: int) -> Getters:
    """Return, for every symmetry, a function from a key of marks to the key of the image.

    ``places`` has the index of every cell in a key of ``keys`` items; all others stay in place.
    """
    getters: Getters = []
    for symmetry in symmetries(game):
        sources = list(range(keys))
        for cell, image in enumerate(symmetry.image):
            sources[places[image]] = places[cell]
        getters.append(itemgetter(*sources))
    return getters
