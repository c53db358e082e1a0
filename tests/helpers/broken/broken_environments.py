"""Environments with one fault each, and the kinds of difference that show it.

They play 5x1k2: both sides can win, also on the last cell, and games are drawn.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Side, Status, bits

GAME = Game("5x1k2")
REWARDS: dict[Status, tuple[float | None, float | None]] = {
    Status.CIRCLE: (1, -1), Status.CROSS: (-1, 1),
}  # fmt: skip

Shown = dict[str, tuple[str, str]]
"""The kinds that differ, each with the shortest line and what is found at its end."""

BROKEN: dict[str, tuple[type["Right"], Shown]] = {}


class Right:
    """An environment without a fault."""

    def __init__(self) -> None:
        self.position = EMPTY

    def reset(self) -> None:
        self.position = EMPTY

    def play(self, cell: int) -> None:
        self.position = GAME.play(self.position, cell)

    def legal_moves(self) -> Iterable[int]:
        return GAME.legal_moves(self.position)

    def turn(self) -> Any:
        return self.position.turn.word

    @property
    def status(self) -> Status:
        return GAME.status(self.position)

    def over(self) -> bool:
        return self.status is not Status.PLAYING

    def rewards(self) -> tuple[float | None, float | None]:
        return REWARDS.get(self.status, (0, 0))

    def winner(self) -> str:
        return self.status.word

    def observations(self) -> list[tuple[int, int]]:
        return [self.position]


def shown_by(**kinds: tuple[str, str]) -> Callable[[type[Right]], type[Right]]:
    """Note a broken environment with its kinds, whose words are joined by underscores."""

    def note(broken: type[Right]) -> type[Right]:
        shown = {kind.replace("_", " "): found for kind, found in kinds.items()}
        BROKEN[broken.__name__] = (broken, shown)
        return broken

    return note


@shown_by(errors=("0 1 2 3", "raises KeyError: 3"))
class RefusesTheLastColumn(Right):
    def play(self, cell: int) -> None:
        if cell == 3 and self.position.ply == 3:
            raise KeyError(cell)
        super().play(cell)


@shown_by(errors=("no move", "raises RuntimeError"))
class CannotBegin(Right):
    def reset(self) -> None:
        raise RuntimeError


@shown_by(errors=("0 1 2 3", "raises ExitError: sys.exit ends the process"))
class EndsTheProcess(Right):
    def over(self) -> bool:
        return sys.exit() if self.position.ply > 3 else super().over()


@shown_by(legal_moves=("2", "0 1 4"))
class ForgetsTheCellBeside(Right):
    def legal_moves(self) -> Iterable[int]:
        found = super().legal_moves()
        return [cell for cell in found if self.position != Position(1 << 2, 0) or cell != 3]


@shown_by(turn=("0 1 2", "circle"))
class CircleMovesTwice(Right):
    def turn(self) -> str:
        return "circle" if self.position.ply == 3 else super().turn()


@shown_by(turn=("no move", "0"))
class NumbersTheSides(Right):
    def turn(self) -> int:
        return int(self.position.turn)


@shown_by(end=("3 0 4", "goes on"))
class OverlooksTheLineOnTheRight(Right):
    """The line 3 4 ends no game of circle."""

    def over(self) -> bool:
        return super().over() and self.position.circle & 0b11000 != 0b11000


@shown_by(end=("0 1 2 3", "over"))
class EndsBeforeTheLastCell(Right):
    def over(self) -> bool:
        return super().over() or self.position.ply == 4


@shown_by(winner=("0 1 2 4 3", "draw"), rewards=("0 1 2 4 3", "circle 0, cross 0"))
class DrawsWhenTheBoardIsFull(Right):
    """A win on the last cell is judged a draw."""

    @property
    def status(self) -> Status:
        return Status.DRAW if self.position.ply == 5 else super().status


@shown_by(rewards=("0 2 1", "circle 1, cross 0"))
class LetsTheLoserOff(Right):
    def rewards(self) -> tuple[float | None, float | None]:
        return {Status.CIRCLE: (1, 0), Status.CROSS: (0, 1)}.get(self.status, (0, 0))


@shown_by(rewards=("0", "circle none, cross 0"))
class RewardsNothing(Right):
    def rewards(self) -> tuple[float | None, float | None]:
        return (None, 0) if self.position.ply == 1 else super().rewards()


@shown_by(observation=("0", "....o"))
class SeesTheBoardInAMirror(Right):
    def observations(self) -> list[tuple[int, int]]:
        circle, cross = (sum(1 << 4 - cell for cell in bits(mask)) for mask in self.position)
        return [(circle, cross)]


@shown_by(observation=("0", ".o..."))
class SeesTwoCellsSwapped(Right):
    def observations(self) -> list[tuple[int, int]]:
        swapped = (1, 0, 2, 3, 4)
        circle, cross = (sum(1 << swapped[cell] for cell in bits(m)) for m in self.position)
        return [(circle, cross)]


@shown_by(observation=("0", "masks 1 and 1"))
class SeesOnlyOneSide(Right):
    def observations(self) -> list[tuple[int, int]]:
        return [(self.position.occupied, self.position.occupied)]


@shown_by(legal_moves_at_the_end=("0 2 1", "3 4"))
class MovesOnAtTheEnd(Right):
    def legal_moves(self) -> Iterable[int]:
        return bits(GAME.full & ~self.position.occupied)


@shown_by(illegal_move=("0 0", "changes observations"))
class OverwritesMarks(Right):
    def play(self, cell: int) -> None:
        if cell in range(5) and self.position.occupied >> cell & 1:
            circle, cross = (mask & ~(1 << cell) for mask in self.position)
            self.position = Position(circle, cross | 1 << cell)
        else:
            super().play(cell)


@shown_by(move_outside_the_board=("-1", "changes turn, legal, observations"))
class CountsFromTheEnd(Right):
    """Cell -1 is the last one, as in a list of Python."""

    def play(self, cell: int) -> None:
        super().play(4 if cell == -1 else cell)


@shown_by(move_outside_the_board=("5", "ends the process: SIGKILL"))
class WritesOutsideItsMemory(Right):
    may_crash = True

    def play(self, cell: int) -> None:
        if cell == 5:
            os.kill(os.getpid(), signal.SIGKILL)
        super().play(cell)


@shown_by(move_outside_the_board=("5", "ends the process: exit code 3"))
class ExitsOutsideItsMemory(Right):
    """As compiled code that gives up does."""

    may_crash = True

    def play(self, cell: int) -> None:
        if cell == 5:
            os._exit(3)
        super().play(cell)


class Judges(Right):
    """An illegal move ends the game, with a reward."""

    given = 0
    ended = False

    def reset(self) -> None:
        super().reset()
        self.ended = False

    def play(self, cell: int) -> None:
        if cell not in range(5) or self.position.occupied >> cell & 1:
            self.ended = True
        else:
            super().play(cell)

    def over(self) -> bool:
        return self.ended or super().over()

    def rewards(self) -> tuple[float | None, float | None]:
        if not self.ended:
            return super().rewards()
        return (self.given, 0) if self.position.turn is Side.CIRCLE else (0, self.given)


class PunishesIllegalMoves(Judges):
    given = -1


class IgnoresIllegalMoves(Right):
    def play(self, cell: int) -> None:
        with suppress(ValueError):
            super().play(cell)


@shown_by(
    illegal_move=("0 0", "ends the game: 1 for the mover, 0 for the opponent"),
    move_outside_the_board=("-1", "ends the game: 1 for the mover, 0 for the opponent"),
)
class RewardsIllegalMoves(Judges):
    given = 1


@shown_by(illegal_move=("0 0", "raises ValueError and changes turn, legal, observations"))
class MovesBeforeItRefuses(Right):
    def play(self, cell: int) -> None:
        refused = cell in range(5) and self.position.occupied >> cell & 1
        if refused:
            cell = next(iter(self.legal_moves()))
        super().play(cell)
        if refused:
            raise ValueError(cell)


@shown_by(move_after_the_end=("0 2 1 3", "changes observations"))
class FillsCellsAfterTheEnd(Right):
    def play(self, cell: int) -> None:
        if self.over():
            self.position = self.position.after(cell)
        else:
            super().play(cell)

    def legal_moves(self) -> Iterable[int]:
        return () if self.over() else super().legal_moves()
