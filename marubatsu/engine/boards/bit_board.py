"""Two integers, one bit per cell."""

from functools import cache

from marubatsu.engine.boards.board import PLAYING
from marubatsu.engine.boards.line_counters import CountingBoard, lines_through
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, bits
from marubatsu.engine.rules.symmetry import symmetries


class BitBoard(CountingBoard[int]):
    """A mask of the circles and a mask of the crosses; a move is the mask of one cell.

    Bit i is cell i. The legal moves are the bits of the empty cells, taken off one by one from the
    lowest: ``low = empty & -empty``, so listing few moves takes little time::

        o . x     circles 0b000_010_001     empty       0b011_101_010
        . o .     crosses 0b100_000_100     lowest bit  0b000_000_010
        . . x
    """

    def __init__(self, game: Game, *, count_lines: bool = False) -> None:
        self._masks = [0, 0]
        self._cells = game.cells
        self._is_restricted = not game.all_open
        self._lines_through = _lines_through(game)
        super().__init__(game, count_lines=count_lines)

    def cell_of(self, move: int) -> int:
        return move.bit_length() - 1

    def move_of(self, cell: int) -> int:
        return 1 << cell

    def legal_moves(self) -> list[int]:
        moves: list[int] = []
        if self.status is not PLAYING:
            return moves
        circle, cross = self._masks
        free = self.game.open_cells(circle | cross)
        while free:
            low = free & -free
            moves.append(low)
            free ^= low
        return moves

    def make(self, move: int) -> None:
        masks = self._masks
        lines = self._lines_through.get(move)
        if lines is None or self.status is not PLAYING:
            raise self._refusal(move)
        occupied = masks[0] | masks[1]
        if move & occupied or (self._is_restricted and not move & self.game.open_cells(occupied)):
            raise self._refusal(move)
        side = self.ply & 1
        masks[side] = own = masks[side] | move
        if self._counters is not None:
            completed = self._counters.add(move, side)
        else:
            completed = _holds_one(own, lines)
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
        self._masks[side] ^= move
        if self._counters is not None:
            self._counters.remove(move, side)

    def position(self) -> Position:
        return Position(*self._masks)

    def key(self) -> int:
        return self._masks[0] | self._masks[1] << self._cells

    def images(self) -> list[int]:
        return key_images(self.game, *self._masks)

    def _put(self, cell: int, side: int) -> None:
        self._masks[side] |= 1 << cell

    def _copy(self) -> list[int]:
        return self._masks.copy()

    def _paste(self, copy: list[int]) -> None:
        self._masks[:] = copy

    def _looks_complete(self, move: int, side: int) -> bool:
        return _holds_one(self._masks[side] | move, self._lines_through[move])


def _holds_one(own: int, lines: tuple[int, ...]) -> bool:
    """Return whether the marks of one side contain any of the lines."""
    for line in lines:  # noqa: SIM110, a generator would take twice the time
        if own & line == line:
            return True
    return False


@cache
def _lines_through(game: Game) -> dict[int, tuple[int, ...]]:
    """Map every move, a mask, to the masks of the lines through its cell."""
    return {
        1 << cell: tuple(game.lines[line] for line in lines)
        for cell, lines in enumerate(lines_through(game))
    }


def key_images(game: Game, circle: int, cross: int) -> list[int]:
    """Return the images of circle | cross << cells under every symmetry.

    A table holds, for each byte of a mask, all of its images side by side in one integer.
    """
    field, shifts, tables = _images_by_byte(game)
    circles = crosses = 0
    for table in tables:
        circles |= table[circle & 255]
        crosses |= table[cross & 255]
        circle >>= 8
        cross >>= 8
    packed = circles | crosses << game.cells
    return [packed >> shift & field for shift in shifts]


@cache
def _images_by_byte(game: Game) -> tuple[int, tuple[int, ...], tuple[list[int], ...]]:
    """Return the mask of a key, each image's first bit, and a table for each byte of a mask."""
    width = 2 * game.cells
    shifts = tuple(width * number for number, _ in enumerate(symmetries(game)))
    of_cell = [
        sum(1 << s.image[cell] + shift for s, shift in zip(symmetries(game), shifts, strict=True))
        for cell in range(game.cells)
    ]
    tables = tuple(
        [
            sum(of_cell[first + bit] for bit in bits(byte & game.full >> first))
            for byte in range(256)
        ]
        for first in range(0, game.cells, 8)
    )
    return (1 << width) - 1, shifts, tables
