"""Oracles: they take positions and return the truth about them, from any source.

An oracle knows two things: the values of positions, and its own facts about them. All else is the
same for all oracles, and is here: reading boards, finding the moves, losses, best moves. So is the
oracle of a small game, whose tables it holds in memory.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Self, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.notations.many_positions import masks_of_boards
from marubatsu.engine.notations.reading import BoardLike, read_position
from marubatsu.engine.notations.signs import first_mark
from marubatsu.engine.rules.board_text import MARKS, exchange_marks, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import is_iterable, quote
from marubatsu.engine.rules.masks import (
    Bools,
    Ints,
    Masks,
    children,
    distinct,
    mask_dtype,
    status_codes,
)
from marubatsu.engine.rules.position import Position, Side, Status
from marubatsu.engine.rules.symmetry import class_members, symmetries
from marubatsu.judge.oracle.answer import Answer, Answers, BoundedAnswer, Move, first_moves
from marubatsu.pipeline.stages.usable import require_usable
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.progress import Advance
from marubatsu.pipeline.tables.data_set import DataSet, not_built
from marubatsu.pipeline.tables.parquet import lists, numbers
from marubatsu.pipeline.tables.schemas import POSITIONS


class Values(NamedTuple):
    """The values of N positions, from the view of the side to move."""

    score_mover: NDArray[np.int8]  # [N] +1 it wins, 0 draw, -1 it loses
    distance: NDArray[np.int8]  # [N] plies to the end
    is_known: Bools  # [N] false where play cannot reach the position


class Numbered:
    """All N positions of a game by their numbers, searched by circle's and cross's masks."""

    def __init__(self, circle: Masks, cross: Masks, class_: Ints, symmetry: Ints) -> None:
        """Take the columns of the table of positions: [N] each.

        Raises ValueError when a position occurs twice, or not each class has one representative.
        """
        self.circle, self.cross, self.class_ = circle, cross, class_
        self.represents: Bools = symmetry == 0  # [N] whether it is the representative of its class
        # Two masks may not fit one integer, so each is replaced by its place among those there are.
        self._circles, self._crosses = np.unique(circle), np.unique(cross)
        ranks = self._rank(circle, cross)
        self._by_rank = np.argsort(ranks)
        self._ranks = ranks[self._by_rank]
        if not (self._ranks[1:] > self._ranks[:-1]).all():
            raise ValueError("a position occurs twice")
        classes = np.sort(class_[self.represents])
        if (
            not len(classes)
            or class_.max() != classes[-1]
            or (classes != np.arange(len(classes))).any()
        ):
            raise ValueError("not every class has one representative")

    def find(self, circle: Masks, cross: Masks) -> tuple[Ints, Bools]:
        """Return the numbers of positions, any number where there is none, and which there are."""
        ranks = self._rank(circle, cross)
        at = np.minimum(np.searchsorted(self._ranks, ranks), len(self._ranks) - 1)
        return self._by_rank[at], self._ranks[at] == ranks

    @cached_property
    def orbit(self) -> Ints:
        """The number of members of each class: [C]."""
        return np.bincount(self.class_)

    @cached_property
    def representative(self) -> Ints:
        """The number of the position that represents each class: [C]."""
        numbers = np.flatnonzero(self.represents)
        return numbers[np.argsort(self.class_[numbers])]

    def _rank(self, circle: Masks, cross: Masks) -> Ints:
        """Return one number for each pair of masks, -1 where a mask occurs nowhere: [N]."""
        places = []
        for masks, values in ((circle, self._circles), (cross, self._crosses)):
            place = np.minimum(np.searchsorted(values, masks), len(values) - 1)
            places.append(np.where(values[place] == masks, place, -1))
        rank = places[0] * len(self._crosses) + places[1]
        return cast("Ints", np.where(np.minimum(*places) < 0, -1, rank))


class Oracle(ABC):
    """A source of the truth about the positions of a game.

    ``answer`` tells everything about one position, ``answer_many`` the values of many.
    """

    positions: Numbered | None = None
    """All positions of the game, where they have numbers."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __repr__(self) -> str:
        return f"<Oracle of {self.game.name}>"

    def __deepcopy__(self, memo: object) -> Self:
        """Return the oracle itself: copies of what asks it share it."""
        return self

    @abstractmethod
    def values(self, circle: Masks, cross: Masks) -> Values:
        """Look up positions, given by their masks: [N]. Raises DataError for damaged data."""

    def facts(self, circle: Masks, cross: Masks) -> Mapping[str, list[Any]]:
        """Return other facts about N positions that play can reach: at least the orbits.

        The names are fields of `Answer`; each has a list of N facts.
        """
        positions = map(Position, circle.tolist(), cross.tolist())
        return {"orbit": [len(class_members(self.game, position)) for position in positions]}

    def answer(
        self, board: BoardLike, *, first: str = MARKS[0], numbering: str | None = None
    ) -> Answer:
        """Return the facts about a position, and its legal moves, best first.

        ``board`` is a text, a list or an array of its cells, or the moves so far. ``first`` is the
        mark of the side that begins on it; in the answer that side is circle, ``o``. The moves, or
        the cells of a board without rows, are in a ``numbering`` of docs/numberings.md.

        Raises InputError or UsageError when play cannot reach it, DataError when data is damaged.
        """
        position = read_position(self.game, board, first=first, numbering=numbering)
        children = map(position.after, self.game.legal_moves(position))
        circle, cross = np.array([position, *children], mask_dtype(self.game)).T
        return self._answer(position, self.values(circle, cross))

    def _answer(self, position: Position, values: Values) -> Answer:
        """Return the facts, from the values of a position and its children. Raises UsageError."""
        if not values.is_known[0]:
            raise self._unreachable(position)
        game, status = self.game, self.game.status(position)
        score_mover, *after = values.score_mover.tolist()
        distance, *distances = values.distance.tolist()
        sign, ply = position.turn.sign, position.ply
        ranked = []
        for move, score, left in zip(game.legal_moves(position), after, distances, strict=True):
            loss = score_mover + score  # The score of a child is that of the opponent.
            ranked.append(
                Move(
                    move=move,
                    board_after=to_text(game, position.after(move)),
                    score=-sign * score,
                    score_sv=game.score_sv(-sign * score, ply + 1 + left),
                    distance=left,
                    loss=loss,
                    is_best=loss == 0,
                    is_best_sv=loss == 0 and left == distance - 1,
                )
            )
        # Among equal scores, a win is better soon, and a loss late.
        ranked.sort(key=lambda each: (each.loss, sign * each.score * each.distance, each.move))
        facts = self.facts(*np.array([position], mask_dtype(game)).T)
        return Answer(
            game=game,
            board=to_text(game, position),
            ply=ply,
            turn=position.turn.word if status is Status.PLAYING else None,
            status=status.word,
            score=sign * score_mover,
            score_sv=game.score_sv(sign * score_mover, ply + distance),
            distance=distance,
            moves=tuple(ranked),
            **{name: fact for name, (fact,) in facts.items()},
        )

    def within(
        self,
        board: BoardLike,
        progress: Advance = lambda share, note="": None,
        *,
        until_interrupted: bool = False,
        first: str = MARKS[0],
        numbering: str | None = None,
    ) -> Answer | BoundedAnswer:
        """Return what `answer` returns, or bounds if that takes too long.

        ``progress`` is called with the share of the work that is done, and what is known so far.
        ``until_interrupted``: Ctrl-C ends a search as the end of its time does. Raises as `answer`
        does.
        """
        return self.answer(board, first=first, numbering=numbering)

    def answer_many(
        self,
        boards: Sequence[BoardLike] | NDArray[Any] | tuple[Masks, Masks],
        *,
        first: str = MARKS[0],
        numbering: str | None = None,
    ) -> Answers:
        """Return the values of many positions and of all their moves, as arrays.

        ``boards`` is a list or an array of what `answer` takes; or a tuple of two arrays, the masks
        of ``o`` and of ``x``. ``first`` and ``numbering`` say how boards are read, as in `answer`.
        Raises InputError or UsageError, which quote it, when play cannot reach a position.
        """
        if hasattr(boards, "columns"):  # A table is a list of the names of its columns.
            raise UsageError("a table is no list of boards: expected an array of its rows")
        if isinstance(boards, str | set | frozenset) or not is_iterable(boards):
            raise UsageError(f"{quote(boards)} is no list: expected a list of boards")
        shape = (2, self.game.rows, self.game.columns)
        are_planes = getattr(boards, "shape", None) == shape
        if are_planes and all(each in (0, 1) for each in np.asarray(boards).ravel().tolist()):
            raise UsageError(
                f"an array of the shape {shape} with 0 and 1 may be two boards, or the planes of "
                "one: write a list of boards"
            )
        first = first_mark(first)
        if _are_masks(boards):
            circle, cross = self._entered(*boards)
            circle, cross = (cross, circle) if first == MARKS[1] else (circle, cross)
        else:
            listed = getattr(boards, "to_pylist", lambda: list(boards))()  # an array of Arrow
            circle, cross = masks_of_boards(self.game, listed, first=first, numbering=numbering)
        return self.answer_masks(circle, cross, first)

    def answer_masks(self, circle: Masks, cross: Masks, first: str = MARKS[0]) -> Answers:
        """Return the values of the positions of some masks, which are of the game, as arrays.

        Raises UsageError when play cannot reach a position, which it writes with ``first``.
        """
        dtype = mask_dtype(self.game)
        circle, cross = circle.astype(dtype), cross.astype(dtype)
        kept, group = distinct(circle, cross, self.game.cells)
        if len(kept) == len(circle):
            return self._answers(circle, cross, first)
        return self._answers(circle[kept], cross[kept], first).at(group)

    def _entered(self, circle: Masks, cross: Masks) -> tuple[Masks, Masks]:
        """Return masks as whole numbers. Raises UsageError for no masks of the game."""
        circle, cross = np.atleast_1d(circle), np.atleast_1d(cross)
        if circle.shape != cross.shape or circle.ndim != 1:
            shapes = f"{circle.shape} and {cross.shape}"
            raise UsageError(
                "expected a tuple of as many masks of circle as of cross, or a list of boards, got "
                f"a tuple of the shapes {shapes}"
            )
        is_missing = np.ma.is_masked(circle) or np.ma.is_masked(cross)  # as DuckDB returns NULL
        if is_missing or {circle.dtype.kind, cross.dtype.kind} - {"i", "u"}:
            raise UsageError("expected masks as whole numbers, or a list of boards")
        if len(circle) == self.game.cells > 1 and {*circle.tolist(), *cross.tolist()} <= {0, 1, 2}:
            raise UsageError(
                f"a tuple of two arrays of {len(circle)} numbers from 0 to 2 may be two boards, or "
                f"the masks of {len(circle)} positions: write a list of boards, or ask about the "
                "masks in two parts"
            )
        circle, cross = circle.astype(np.int64), cross.astype(np.int64)
        wrong = (circle | cross) & ~self.game.full | circle & cross
        if wrong.any():
            place = int(np.argmax(wrong != 0))
            raise UsageError(
                f"position {place + 1} of {len(circle):,} has the masks {circle[place]} and "
                f"{cross[place]}: expected different cells among {self.game.cells} of "
                f"{self.game.name}"
            )
        return circle, cross

    def _answers(self, circle: Masks, cross: Masks, first: str) -> Answers:
        game, count = self.game, len(circle)
        status = status_codes(game, circle, cross)
        is_circles = np.bitwise_count(circle | cross) % 2 == Side.CIRCLE
        mover, waiting = np.where(is_circles, (circle, cross), (cross, circle))
        after = children(game, mover, waiting, status == Status.PLAYING, circle_moves=True)
        moved = is_circles[after.parent]
        score_mover, distance, is_known = self.values(
            np.concatenate([circle, np.where(moved, after.circle, after.cross)]),
            np.concatenate([cross, np.where(moved, after.cross, after.circle)]),
        )
        if not is_known[:count].all():
            place = int(np.argmin(is_known))
            raise self._unreachable(Position(int(circle[place]), int(cross[place])), first)
        sign = np.where(is_circles, np.int8(1), np.int8(-1))
        return Answers(
            game=game,
            circle=circle,
            cross=cross,
            status=status,
            score=sign * score_mover[:count],
            distance=distance[:count],
            first_move=first_moves(after.counts),
            move=after.move,
            move_score=-sign[after.parent] * score_mover[count:],
            move_distance=distance[count:],
            loss=score_mover[after.parent] + score_mover[count:],
        )

    def _unreachable(self, position: Position, first: str = MARKS[0]) -> UsageError:
        """Return the error for a position that play cannot reach. Raises InputError."""
        board = to_text(self.game, position)
        read_position(self.game, exchange_marks(board) if first == MARKS[1] else board, first=first)
        return UsageError(f"no game of {self.game.name} reaches {board!r}")


def _are_masks(
    boards: "Sequence[BoardLike] | NDArray[Any] | tuple[Masks, Masks]",
) -> "TypeGuard[tuple[Masks, Masks]]":
    """Return whether positions are the masks of circle and of cross, and no texts or lists."""
    is_pair = isinstance(boards, tuple) and len(boards) == 2
    return is_pair and not any(isinstance(each, str | list | tuple) for each in boards)


_SEARCHED = ("circles", "crosses", "class", "symmetry")
_VALUES = ("ply", "score", "distance")
_FACTS = ("position", "symmetry", "nodes", "score_svrd", "random_circle", "random_draw",
          "random_cross")  # fmt: skip
_BEST_MOVES = "best_moves_svrd"


class TableOracle(Oracle):
    """The table of positions of a game, read once and searched by circle's and cross's masks."""

    positions: Numbered

    def __init__(self, data_set: DataSet) -> None:
        """Read the table. Raises DataError when it is missing or damaged."""
        super().__init__(data_set.game)
        with data_set.lock(write=False):
            file = require_usable(data_set, {POSITIONS.name}).files.get(POSITIONS.file)
        if file is None:
            raise not_built(data_set)
        names = [*_SEARCHED, *_VALUES, *_FACTS, _BEST_MOVES]
        with file.reading():
            rows = file.rows(list(dict.fromkeys(names)))
            _require_plausible(data_set.game, rows)
            self.positions = Numbered(*(numbers(rows[name]) for name in _SEARCHED))
        ply, score, self._distance = (numbers(rows[name]) for name in _VALUES)
        self._score_mover = np.where(ply % 2 == 0, score, -score).astype(np.int8)
        self._facts = {name: numbers(rows[name]) for name in _FACTS}
        self._best_moves = rows[_BEST_MOVES]

    def values(self, circle: Masks, cross: Masks) -> Values:
        row, is_known = self.positions.find(circle, cross)
        return Values(self._score_mover[row], self._distance[row], is_known)

    def facts(self, circle: Masks, cross: Masks) -> dict[str, list[Any]]:
        positions = self.positions
        row, _ = positions.find(circle, cross)
        class_ = positions.class_[row]
        representative = positions.representative[class_]
        masks = positions.circle[representative].tolist(), positions.cross[representative].tolist()
        return {
            **{name: column[row].tolist() for name, column in self._facts.items()},
            _BEST_MOVES: [*map(tuple, lists(self._best_moves, row))],
            "class_": class_.tolist(),
            "orbit": positions.orbit[class_].tolist(),
            "representative": [to_text(self.game, each) for each in map(Position, *masks)],
        }


def _require_plausible(game: Game, rows: Any) -> None:
    """Raise ValueError when a number cannot be one of a position of the game.

    Who wrote a file with such numbers wrote a manifest that fits it; `check` derives all others.
    """
    circle, cross = (numbers(rows[name]).astype(np.int64) for name in ("circles", "crosses"))
    occupied, ply = circle | cross, numbers(rows["ply"])
    bounds = {
        "symmetry": (0, len(symmetries(game)) - 1),
        "class": (0, len(rows) - 1),
        "score": (-1, 1),
        "distance": (0, game.cells),
    }
    wrong = [
        name
        for name, (least, most) in bounds.items()
        if ((column := numbers(rows[name])) < least).any() or (column > most).any()
    ]
    if (numbers(rows["position"]) != np.arange(len(rows))).any():
        wrong.append("position")
    if (circle & cross).any() or (occupied & ~game.full).any():
        wrong.append("circle and cross")
    if (np.bitwise_count(occupied) != ply).any():
        wrong.append("ply")
    if wrong:
        raise ValueError(f"numbers in {', '.join(wrong)} are none of {game.name}")
