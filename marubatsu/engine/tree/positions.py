"""Every reachable position and every legal move, breadth first, once each; classes of positions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.bounds import MAX_POSITIONS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import (
    Ints,
    Masks,
    children,
    distinct,
    images,
    mask_dtype,
    status_codes,
)
from marubatsu.engine.rules.position import Position, Status
from marubatsu.engine.rules.size_limits import require_few, too_large
from marubatsu.engine.rules.symmetry import symmetries

_SAMPLE = 20  # positions of each ply and status, whose rules are read in two ways


@dataclass(frozen=True, eq=False)
class Positions:
    """The graph of a game's positions, numbered in the order breadth-first play creates them.

    Shapes: N positions, M moves. Positions of one ply are adjacent, and so are the moves of
    one position: those of position i are ``first_move[i]`` up to ``first_move[i + 1]``.
    """

    game: Game
    circle: Masks  # [N] bit i = cell i
    cross: Masks  # [N]
    status: NDArray[np.int8]  # [N] code of a Status
    first_position: tuple[int, ...]  # [plies + 1] number of each ply's first position, then N
    first_move: Ints  # [N + 1]
    move: NDArray[np.int8]  # [M] cell filled
    child: Ints  # [M] number of the position after the move

    def __len__(self) -> int:
        return len(self.circle)

    def __getitem__(self, number: int) -> Position:
        return Position(int(self.circle[number]), int(self.cross[number]))

    def __iter__(self) -> Iterator[Position]:
        return map(Position, self.circle.tolist(), self.cross.tolist())

    @property
    def plies(self) -> int:
        """Number of plies that hold a position, from 0 marks up."""
        return len(self.first_position) - 1

    def of_ply(self, ply: int) -> slice:
        """Return the slice of the positions of a ply."""
        return slice(self.first_position[ply], self.first_position[ply + 1])

    @property
    def ply(self) -> NDArray[np.int8]:
        """Number of marks of each position: [N]."""
        return np.repeat(
            np.arange(self.plies, dtype=np.int8), np.diff(np.array(self.first_position))
        )

    def moves_of(self, number: int) -> NDArray[np.int8]:
        """Return the legal moves of a position, ascending."""
        return self.move[self.first_move[number] : self.first_move[number + 1]]

    @property
    def parent(self) -> Ints:
        """Number of the position that each move starts from: [M]."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.first_move))


def enumerate_positions(
    game: Game, limit: int = MAX_POSITIONS, progress: Callable[[float], None] = lambda share: None
) -> Positions:
    """Enumerate a game's positions, ply by ply; ``progress`` receives the share done, 0 to 1.

    Raises TooLargeError, with an estimate, as soon as there are more than ``limit`` positions.
    """
    expected = require_few(game, limit)
    circle = np.zeros(1, dtype=mask_dtype(game))
    cross = circle.copy()
    plies: list[tuple[Masks, Masks, NDArray[np.int8], Ints, NDArray[np.int8], Ints]] = []
    first_position = [0]
    while len(circle):
        status = status_codes(game, circle, cross)
        first_position.append(first_position[-1] + len(circle))
        if first_position[-1] > limit:
            raise too_large(game, limit)
        progress(min(1.0, first_position[-1] / min(expected, limit)))
        is_circle = len(plies) % 2 == 0
        after = children(game, circle, cross, status == Status.PLAYING, circle_moves=is_circle)
        first, group = distinct(after.circle, after.cross, game.cells)
        child = (group + first_position[-1]).astype(np.int32)
        plies.append((circle, cross, status, after.counts, after.move, child))
        circle, cross = after.circle[first], after.cross[first]
    circle, cross, status, count, move, child = map(np.concatenate, zip(*plies, strict=True))
    first_move = np.concatenate([[0], np.cumsum(count)]).astype(np.int32)
    return Positions(game, circle, cross, status, tuple(first_position), first_move, move, child)


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of N positions: C classes, numbered by their representatives."""

    representative: Ints  # [C] position number, ascending
    class_: Ints  # [N] class of each position
    symmetry: NDArray[np.int16]  # [N] first symmetry that takes it to its representative
    orbit: Ints  # [C] number of members


def classify(positions: Positions) -> Classes:
    """Put positions that are images of each other into one class.

    The members of an orbit share their least image (circle mask first, then cross mask). The
    representative is the member with the smallest position number.
    """
    circle, cross = positions.circle, positions.cross
    group = symmetries(positions.game)
    least_circle, least_cross = circle.copy(), cross.copy()
    for symmetry in group[1:]:
        image_circle, image_cross = images(symmetry, circle), images(symmetry, cross)
        less = (image_circle < least_circle) | (
            (image_circle == least_circle) & (image_cross < least_cross)
        )
        least_circle[less] = image_circle[less]
        least_cross[less] = image_cross[less]
    representative, class_ = distinct(least_circle, least_cross, positions.game.cells)

    goal_circle, goal_cross = circle[representative][class_], cross[representative][class_]
    to_representative = np.full(len(positions), -1, dtype=np.int16)
    for number, symmetry in reversed(list(enumerate(group))):
        arrives = (images(symmetry, circle) == goal_circle) & (
            images(symmetry, cross) == goal_cross
        )
        to_representative[arrives] = number
    return Classes(
        representative=representative.astype(np.int32),
        class_=class_.astype(np.int32),
        symmetry=to_representative,
        orbit=np.bincount(class_).astype(np.int32),
    )


def rule_difference(positions: Positions) -> str | None:
    """Describe the first position, of some of each ply and status, whose readings differ.

    The status and the moves of the arrays are compared with those of the game's own methods.
    """
    game, kinds = positions.game, positions.ply.astype(np.int16) * len(Status) + positions.status
    for kind in np.unique(kinds):
        alike = np.flatnonzero(kinds == kind)
        for number in alike[:: 1 + len(alike) // _SAMPLE].tolist():
            position = positions[number]
            status, moves = Status(positions.status[number]), positions.moves_of(number).tolist()
            right, legal = game.status(position), list(game.legal_moves(position))
            if (status, moves) != (right, legal):
                from marubatsu.engine.rules.board_text import to_text  # only to describe it

                return (
                    f"on {to_text(game, position)} the arrays say {status.word} with the moves "
                    f"{moves}, and the methods of the game {right.word} with {legal}"
                )
    return None
