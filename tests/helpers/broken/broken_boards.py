"""Boards with one fault each, under the name of the law that must catch it."""

import sys
from functools import cache
from typing import Any

from marubatsu.engine.boards.bit_board import BitBoard
from marubatsu.engine.boards.board import Board
from marubatsu.engine.boards.list_board import List1dBoard, ListBoard
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Status, bits

BROKEN: dict[str, list[type[Board[Any]]]] = {}


def breaks(law: str) -> Any:
    def note(board: type[Board[Any]]) -> type[Board[Any]]:
        BROKEN.setdefault(law, []).append(board)
        return board

    return note


class Counting(BitBoard):
    """A BitBoard with its counters on, to break them."""

    def __init__(self, game: Game, *, count_lines: bool = True) -> None:
        super().__init__(game, count_lines=count_lines)


@breaks("cells and moves")
class SwapsTwoCells(BitBoard):
    def cell_of(self, move: int) -> int:
        return {1: 0}.get(super().cell_of(move), super().cell_of(move))


@breaks("text")
class WritesCrossAsCircle(BitBoard):
    def text(self) -> str:
        return super().text().replace("x", "o") if self.ply == 2 else super().text()


@breaks("history")
class CountsTheSetUpTwice(BitBoard):
    def make(self, move: int) -> None:
        super().make(move)
        if self.ply == 5:
            self.moves.append(move)


@breaks("status")
class DrawsWhenFull(ListBoard):
    """A win on the last cell is judged a draw."""

    def make(self, move: tuple[int, int]) -> None:
        super().make(move)
        if self.ply == self.game.cells:
            self.status = Status.DRAW


@breaks("judge")
class JudgesCircleOnly(BitBoard):
    def judge(self) -> Status:
        return (
            self.game.status(Position(self.position().circle, 0))
            if self.ply < self.game.cells
            else self.status
        )


@breaks("legal moves")
class PlaysOnAfterAWin(BitBoard):
    def legal_moves(self) -> list[int]:
        circle, cross = self.position()
        return [1 << cell for cell in bits(self.game.open_cells(circle | cross))]


@breaks("legal moves")
class ListsByColumn(List1dBoard):
    def legal_moves(self) -> list[int]:
        return sorted(super().legal_moves())


@breaks("illegal moves")
class OverwritesMarks(List1dBoard):
    def make(self, move: int) -> None:
        if self.status is Status.PLAYING and self._marks[move]:
            self._marks[move] = 0
        super().make(move)


@breaks("illegal moves")
class FloatsInTheAir(BitBoard):
    """With gravity, marks may be put anywhere."""

    def make(self, move: int) -> None:
        self._is_restricted = False
        super().make(move)


@breaks("unmake")
class KeepsCountersOfCross(Counting):
    """The counters of one mark are not restored."""

    def unmake(self) -> None:
        last, side = self.moves[-1] if self.moves else 0, 1 - self.ply % 2
        super().unmake()
        if side and self._counters is not None:
            self._counters.add(last, side)


@breaks("unmake")
class UnmakesNothingSilently(BitBoard):
    def unmake(self) -> None:
        if self.moves:
            super().unmake()


@breaks("patterns")
class WrongAntiDiagonal(BitBoard):
    """As if every board were square: the step of the other diagonal is rows - 1."""

    def _looked_patterns(self) -> list[int]:
        game, stride = self.game, self.game.run + 1
        circle, cross = self.position()
        counts = [0] * stride**2
        for line in _lines_with_wrong_step(game):
            counts[(circle & line).bit_count() + stride * (cross & line).bit_count()] += 1
        return counts


@breaks("completes")
class WinsOnWrongAntiDiagonal(BitBoard):
    def _looks_complete(self, move: int, side: int) -> bool:
        own = self.position()[side] | move
        return any(own & line == line and line & move for line in _lines_with_wrong_step(self.game))


@cache
def _lines_with_wrong_step(game: Game) -> list[int]:
    wrong, right = game.rows - 1, game.columns - 1
    lines = []
    for line in game.lines:
        cells = list(bits(line))
        falls = len(cells) > 1 and cells[1] - cells[0] == right and right > 1
        moved = [cells[0] + wrong * number for number in range(game.run)] if falls else cells
        lines.append(sum(1 << cell for cell in moved))
    return lines


@breaks("set up")
class ForgetsWhoWon(BitBoard):
    def set_up(self, position: Position) -> None:
        super().set_up(position)
        self.status = Status.PLAYING


@breaks("save and restore")
class SavesByReference(List1dBoard):
    def _copy(self) -> list[int]:
        return self._marks


@breaks("save and restore")
class RestoresCountersOfCircleOnly(Counting):
    def restore(self, saved: Any) -> None:
        super().restore(saved)
        if self._counters is not None and self.ply > 1:
            self._counters.remove(1 << next(bits(self.position()[1])), 1)


@breaks("key")
class KeysByOccupiedCells(BitBoard):
    """Keys collide: they ignore which side has a cell."""

    def key(self) -> int:
        return self.position().occupied


@breaks("key")
class KeysByOrder(BitBoard):
    """The same position reached another way has another key."""

    def key(self) -> Any:
        return (super().key(), tuple(self.moves))


@breaks("images")
class TurnsTheWrongWay(BitBoard):
    """A quarter turn and a three-quarter turn are mistaken for each other."""

    def images(self) -> list[int]:
        images = super().images()
        images[5:7] = images[6:4:-1]
        return images


@breaks("image of a move")
class MirrorsMovesTheOtherWay(BitBoard):
    """The image of a move is that of another symmetry."""

    def image_of_move(self, move: int, symmetry: int) -> int:
        return super().image_of_move(move, {1: 2, 2: 1}.get(symmetry, symmetry))


@breaks("image of a move")
class MovesByColumn(List1dBoard):
    """The image of a move is taken as if moves were numbered like cells."""

    def image_of_move(self, move: int, symmetry: int) -> int:
        return self.cell_of(super().image_of_move(self.move_of(move), symmetry))


@breaks("a board of its own")
class SharesItsMarks(BitBoard):
    def new(self) -> "SharesItsMarks":
        other = super().new()
        other._masks = self._masks  # noqa: SLF001, that is the fault
        return other


@breaks("choices of AIs")
class SeesNoWins(BitBoard):
    def wins(self, move: int) -> bool:
        return False


@breaks("searches")
class RemembersItsImages(BitBoard):
    """The images of the first position are given for every other one."""

    known: list[int] | None = None

    def images(self) -> list[int]:
        if self.known is None:
            self.known = super().images()
        return self.known


class CannotJudgeThree(BitBoard):
    def judge(self) -> Status:
        if self.ply == 3:
            raise ZeroDivisionError("three marks are too many")
        return super().judge()


class EndsTheProcess(BitBoard):
    def judge(self) -> Status:
        return sys.exit() if self.ply == 3 else super().judge()


class NeverEnds(BitBoard):
    def __init__(self, game: Game) -> None:
        print("made", end="")
        super().__init__(game)

    def patterns(self) -> list[int]:
        while True:
            print("counting", end="")
