"""Lists of cells: a list of columns, as people draw a board; one flat list, column by column."""

from itertools import chain
from typing import TypeAlias

from marubatsu.engine.boards.board import BOARD_RULES, PLAYING
from marubatsu.engine.boards.line_counters import CountingBoard, image_getters, others_in_line
from marubatsu.engine.rules.game import Game, require_known
from marubatsu.engine.rules.position import Position, bits

XY: TypeAlias = tuple[int, int]
Place: TypeAlias = tuple[list[int], int]  # a column, and the row in it

FLOOR = -1


class ListBoard(CountingBoard[XY]):
    """A list of columns, each a list of cells from top to bottom; a move is (x, y).

    An empty cell is 0, a circle 1, a cross run + 1, so the sum of a line is its weight. Below every
    column lies the floor, which holds the marks when there is gravity::

        o . x     [[1, 0, 0, FLOOR],
        . o .      [0, 1, 0, FLOOR],
        . . x      [4, 0, 4, FLOOR]]
    """

    def __init__(self, game: Game, *, count_lines: bool = False) -> None:
        require_known(game, "ListBoard", *BOARD_RULES)
        self._width, self._gravity = game.columns, game.gravity
        self._columns = [[0] * game.rows + [FLOOR] for _ in range(game.columns)]
        moves = [self.move_of(cell) for cell in range(game.cells)]
        places: list[Place] = [(self._columns[x], y) for x, y in moves]
        self._cells = [(move, *place) for move, place in zip(moves, places, strict=True)]
        self._lines = [[places[cell] for cell in bits(line)] for line in game.lines]
        self._at = {
            move: (column, y, [[places[other] for other in line] for line in lines])
            for (move, column, y), lines in zip(self._cells, others_in_line(game), strict=True)
        }
        height = game.rows + 1
        in_key = tuple(x * height + y for x, y in moves)
        self._getters = image_getters(game, in_key, game.columns * height)
        super().__init__(game, count_lines=count_lines)

    def cell_of(self, move: XY) -> int:
        return move[0] + self._width * move[1]

    def move_of(self, cell: int) -> XY:
        return cell % self._width, cell // self._width

    def legal_moves(self) -> list[XY]:
        if self.status is not PLAYING:
            return []
        if self._gravity:
            return [m for m, column, y in self._cells if not column[y] and column[y + 1]]
        return [move for move, column, y in self._cells if not column[y]]

    def position(self) -> Position:
        circle = cross = 0
        for cell, (_, column, y) in enumerate(self._cells):
            if column[y] == 1:
                circle |= 1 << cell
            elif column[y]:
                cross |= 1 << cell
        return Position(circle, cross)

    def key(self) -> tuple[int, ...]:
        return tuple(chain.from_iterable(self._columns))

    def images(self) -> list[tuple[int, ...]]:
        key = self.key()
        return [image(key) for image in self._getters]

    def _is_open(self, move: XY) -> bool:
        if move not in self._at:
            return False
        column, y, _ = self._at[move]
        return not column[y] and (not self._gravity or column[y + 1] != 0)

    def _put(self, move: XY, side: int) -> None:
        column, y, _ = self._at[move]
        column[y] = self._weights[side]

    def _take(self, move: XY, side: int) -> None:
        column, y, _ = self._at[move]
        column[y] = 0

    def _copy(self) -> list[list[int]]:
        return [column.copy() for column in self._columns]

    def _paste(self, copy: list[list[int]]) -> None:
        for column, marks in zip(self._columns, copy, strict=True):
            column[:] = marks

    def _looks_complete(self, move: XY, side: int) -> bool:
        weight = self._weights[side]
        for line in self._at[move][2]:
            for column, y in line:
                if column[y] != weight:
                    break
            else:
                return True
        return False

    def _looked_patterns(self) -> list[int]:
        counts = [0] * (self.game.run + 1) ** 2
        for line in self._lines:
            counts[sum([column[y] for column, y in line])] += 1
        return counts


class List1dBoard(CountingBoard[int]):
    """One list of all cells, column by column, then the floor; a move is an index, y + x * rows.

    An empty cell is 0, a circle 1, a cross run + 1, so the sum of a line is its weight::

        o . x     [1, 0, 0,  0, 1, 0,  4, 0, 4,  FLOOR]
        . o .      column 0  column 1  column 2
        . . x
    """

    natural_order = "column"

    def __init__(self, game: Game, *, count_lines: bool = False) -> None:
        require_known(game, "List1dBoard", *BOARD_RULES)
        self._width, self._height = game.columns, game.rows
        self._floor, self._gravity = game.cells, game.gravity
        self._storage = self._marks = [0] * game.cells + [FLOOR]
        moves = [self.move_of(cell) for cell in range(game.cells)]
        self._by_row = tuple(moves)
        self._lines = [[moves[cell] for cell in bits(line)] for line in game.lines]
        others = others_in_line(game)
        self._others = [
            [[moves[other] for other in line] for line in others[self.cell_of(move)]]
            for move in range(game.cells)
        ]
        # The floor is below the lowest cell of a column and, without gravity, below every cell.
        self._below = [
            move + 1 if game.gravity and (move + 1) % game.rows else game.cells
            for move in range(game.cells)
        ]
        self._getters = image_getters(game, self._by_row, game.cells + 1)
        super().__init__(game, count_lines=count_lines)

    def cell_of(self, move: int) -> int:
        return move // self._height + move % self._height * self._width

    def move_of(self, cell: int) -> int:
        return cell // self._width + cell % self._width * self._height

    def legal_moves(self) -> list[int]:
        if self.status is not PLAYING:
            return []
        marks = self._marks
        if self._gravity:
            below = self._below
            return [move for move in self._by_row if not marks[move] and marks[below[move]]]
        return [move for move in self._by_row if not marks[move]]

    def position(self) -> Position:
        circle = cross = 0
        for cell, move in enumerate(self._by_row):
            if self._marks[move] == 1:
                circle |= 1 << cell
            elif self._marks[move]:
                cross |= 1 << cell
        return Position(circle, cross)

    def key(self) -> tuple[int, ...]:
        return tuple(self._marks)

    def images(self) -> list[tuple[int, ...]]:
        key = self.key()
        return [image(key) for image in self._getters]

    def _is_open(self, move: int) -> bool:
        marks = self._marks
        return 0 <= move < self._floor and not marks[move] and marks[self._below[move]] != 0

    def _put(self, move: int, side: int) -> None:
        self._marks[move] = self._weights[side]

    def _take(self, move: int, side: int) -> None:
        self._marks[move] = 0

    def _looks_complete(self, move: int, side: int) -> bool:
        marks, weight = self._marks, self._weights[side]
        for line in self._others[move]:
            for cell in line:
                if marks[cell] != weight:
                    break
            else:
                return True
        return False

    def _looked_patterns(self) -> list[int]:
        marks = self._marks
        counts = [0] * (self.game.run + 1) ** 2
        for line in self._lines:
            counts[sum([marks[cell] for cell in line])] += 1
        return counts
