"""Two integers, one bit per cell; on 3x3 also with tables for all masks."""

from dataclasses import replace
from functools import cache
from operator import or_
from typing import Any, NamedTuple, TypeAlias

from marubatsu.engine.boards.board import PLAYING, Board
from marubatsu.engine.boards.line_counters import CountingBoard, lines_through
from marubatsu.engine.rules.game import Game, GameError
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
        self._storage = self._masks = [0, 0]
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

    def position(self) -> Position:
        return Position(*self._masks)

    def key(self) -> int:
        return self._masks[0] | self._masks[1] << self._cells

    def images(self) -> list[int]:
        field, shifts, tables = _images_by_byte(self.game)
        circle, cross = self._masks
        circles = crosses = 0
        for table in tables:
            circles |= table[circle & 255]
            crosses |= table[cross & 255]
            circle >>= 8
            cross >>= 8
        packed = circles | crosses << self._cells
        return [packed >> shift & field for shift in shifts]

    def _is_open(self, move: int) -> bool:
        occupied = self._masks[0] | self._masks[1]
        if move & occupied or move not in self._lines_through:
            return False
        return not self._is_restricted or move & self.game.open_cells(occupied) != 0

    def _put(self, move: int, side: int) -> None:
        self._masks[side] |= move

    def _take(self, move: int, side: int) -> None:
        self._masks[side] ^= move

    def _looks_complete(self, move: int, side: int) -> bool:
        own = self._masks[side] | move
        for line in self._lines_through[move]:  # noqa: SIM110, a generator would take twice the time
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


@cache
def _images_by_byte(game: Game) -> tuple[int, tuple[int, ...], tuple[list[int], ...]]:
    """Return the mask of a key, each image's first bit, and a table for each byte of a mask.

    A table holds, for each content of the byte, all of its images side by side in one integer.
    """
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


_CELLS, _RUN = 9, 3
_FULL = 0b111_111_111


class BitBoard3x3(Board[int]):
    """A mask of the circles and a mask of the crosses; everything about them is looked up.

    A move is the mask of one cell. 512 masks and 19,683 pairs of masks are so few that legal moves,
    lines and images come from tables, made once::

        o . x     circles 0b000_010_001     moves[circles | crosses]   the empty cells
        . o .     crosses 0b100_000_100     full[circles]              whether they hold a line
        . . x                               patterns[circles, crosses] the lines by what they hold

    Raises GameError for other games than 3x3k3 and its misère form.
    """

    def __init__(self, game: Game) -> None:
        if not self.plays(game):
            raise GameError(f"BitBoard3x3 plays 3x3k3 and 3x3k3-misere, not {game.name}")
        super().__init__(game)
        self._circle = self._cross = 0
        self._tables = _tables(game)
        self._moves, self._full = self._tables.moves, self._tables.full

    @staticmethod
    @cache
    def plays(game: Game) -> bool:
        """Return whether this board plays a game: 3x3k3 or its misère form."""
        return replace(game, misere=False) == Game(3, 3, 3)

    def cell_of(self, move: int) -> int:
        return move.bit_length() - 1

    def move_of(self, cell: int) -> int:
        return 1 << cell

    def legal_moves(self) -> tuple[int, ...]:
        return self._moves[self._circle | self._cross] if self.status is PLAYING else ()

    def make(self, move: int) -> None:
        if self.status is not PLAYING or move not in self._moves[self._circle | self._cross]:
            raise self._refusal(move)
        if self.ply & 1:
            self._cross = own = self._cross | move
        else:
            self._circle = own = self._circle | move
        self.status = (self._completing if self._full[own] else self._going_on)[self.ply]
        self.ply += 1
        self.moves.append(move)

    def unmake(self) -> None:
        if not self.moves:
            raise self._nothing_made()
        move = self.moves.pop()
        self.ply -= 1
        self.status = PLAYING
        if self.ply & 1:
            self._cross ^= move
        else:
            self._circle ^= move

    def completes(self, move: int, side: int) -> bool:
        return self._full[(self._cross if side else self._circle) | move]

    def patterns(self) -> tuple[int, ...]:
        return self._tables.patterns[self._circle | self._cross << _CELLS]

    def position(self) -> Position:
        return Position(self._circle, self._cross)

    def set_up(self, position: Position) -> None:
        self._circle, self._cross = position
        self._shown(position.ply)

    def key(self) -> int:
        return self._circle | self._cross << _CELLS

    def images(self) -> list[int]:
        circles, crosses = self._tables.images
        return list(map(or_, circles[self._circle], crosses[self._cross]))

    def save(self) -> Any:
        return self._circle, self._cross, self.ply, self.status

    def restore(self, saved: Any) -> None:
        self._circle, self._cross, self.ply, self.status = saved
        self.moves.clear()


Images: TypeAlias = tuple[tuple[int, ...], ...]
"""The images of every mask, by symmetry."""


class _Tables(NamedTuple):
    """Tables for nine cells, indexed by a mask; ``patterns`` is indexed by a key."""

    moves: tuple[tuple[int, ...], ...]  # the empty cells, by the mask of the filled ones
    full: tuple[bool, ...]  # whether the mask holds a line
    images: tuple[Images, Images]  # shifted as in keys: of circles, of crosses
    patterns: dict[int, tuple[int, ...]]  # by key: the number of lines of each pattern


@cache
def _tables(game: Game) -> _Tables:
    masks = range(_FULL + 1)
    marks_on_lines = [[(mask & line).bit_count() for line in game.lines] for mask in masks]
    images = tuple(tuple(s.of_mask(mask) for s in symmetries(game)) for mask in masks)
    shared: dict[tuple[int, ...], tuple[int, ...]] = {}
    patterns = {}
    for circle in masks:
        cross = free = _FULL ^ circle
        while True:  # Every subset of the cells that circle leaves free.
            counts = [0] * (_RUN + 1) ** 2
            for circles, crosses in zip(marks_on_lines[circle], marks_on_lines[cross], strict=True):
                counts[circles + (_RUN + 1) * crosses] += 1
            key = tuple(counts)
            patterns[circle | cross << _CELLS] = shared.setdefault(key, key)
            if not cross:
                break
            cross = (cross - 1) & free
    return _Tables(
        moves=tuple(tuple(1 << cell for cell in bits(_FULL ^ mask)) for mask in masks),
        full=tuple(game.has_line(mask) for mask in masks),
        images=(images, tuple(tuple(i << _CELLS for i in row) for row in images)),
        patterns=patterns,
    )


def new_board(game: Game) -> Board[Any]:
    """Return an empty board of the fastest kind for a game."""
    return BitBoard3x3(game) if BitBoard3x3.plays(game) else BitBoard(game)
