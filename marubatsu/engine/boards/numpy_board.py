"""An array of booleans, for use with array code."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.boards.board import BOARD_RULES, PLAYING
from marubatsu.engine.boards.line_counters import CountingBoard, others_in_line
from marubatsu.engine.rules.game import Game, require_known
from marubatsu.engine.rules.position import Position
from marubatsu.engine.rules.symmetry import symmetries


class NumpyBoard(CountingBoard[int]):
    """marks: [2, rows, columns] bool, the circles and the crosses; a move is a cell.

    Every question is an array operation, which costs about a microsecond however small the board
    is. Neural networks and batches of positions take such planes::

        o . x     [[[1, 0, 0],    [[0, 0, 1],
        . o .       [0, 1, 0],     [0, 0, 0],
        . . x       [0, 0, 0]],    [0, 0, 1]]]
    """

    def __init__(self, game: Game, *, count_lines: bool = False) -> None:
        require_known(game, "NumpyBoard", *BOARD_RULES)
        self.marks: NDArray[np.bool_] = np.zeros((2, game.rows, game.columns), dtype=np.bool_)
        self._storage, self._flat = self.marks, self.marks.reshape(2, game.cells)  # the same memory
        self._others, self._incidence, self._permutations, self._floor = _tables(game)
        super().__init__(game, count_lines=count_lines)

    def cell_of(self, move: int) -> int:
        return move

    def move_of(self, cell: int) -> int:
        return cell

    def _open(self) -> NDArray[np.bool_]:
        """Return which cells may be filled next: [cells] bool."""
        filled = self.marks[0] | self.marks[1]
        if self.game.gravity:
            filled = filled | ~np.concatenate([filled[1:], self._floor])
        free: NDArray[np.bool_] = ~filled.reshape(-1)
        return free

    def legal_moves(self) -> list[int]:
        if self.status is not PLAYING:
            return []
        moves: list[int] = np.flatnonzero(self._open()).tolist()
        return moves

    def position(self) -> Position:
        circle, cross = np.packbits(self._flat, axis=1, bitorder="little")
        return Position(*(int.from_bytes(mask.tobytes(), "little") for mask in (circle, cross)))

    def key(self) -> bytes:
        return self.marks.tobytes()

    def images(self) -> list[bytes]:
        images = self._flat[:, self._permutations].swapaxes(0, 1)  # [S, 2, cells]
        return [image.tobytes() for image in images]

    def _is_open(self, move: int) -> bool:
        return 0 <= move < self.game.cells and bool(self._open()[move])

    def _put(self, move: int, side: int) -> None:
        self._flat[side, move] = True

    def _take(self, move: int, side: int) -> None:
        self._flat[side, move] = False

    def _looks_complete(self, move: int, side: int) -> bool:
        return bool(self._flat[side][self._others[move]].all(axis=1).any())

    def _looked_patterns(self) -> list[int]:
        circles, crosses = self._flat @ self._incidence
        stride = self.game.run + 1
        counts: list[int] = np.bincount(circles + stride * crosses, minlength=stride**2).tolist()
        return counts


class _Tables(NamedTuple):
    """What boards of a game look up; it does not change."""

    others: list[NDArray[np.intp]]  # by cell, [lines, run - 1]: the other cells of lines through it
    incidence: NDArray[np.int16]  # [cells, L]: whether a line goes through a cell
    permutations: NDArray[np.intp]  # [S, cells]: where the mark of a cell of an image comes from
    floor: NDArray[np.bool_]  # [1, columns]


@cache
def _tables(game: Game) -> _Tables:
    lines = [[line >> cell & 1 for line in game.lines] for cell in range(game.cells)]
    return _Tables(
        [np.array(others, dtype=np.intp) for others in others_in_line(game)],
        np.array(lines, dtype=np.int16),
        np.argsort([s.image for s in symmetries(game)], axis=1),
        np.ones((1, game.columns), dtype=np.bool_),
    )
