"""The answers of an AI, read as moves.

This is decided here for functions and for programs alike. What can be read in two ways is refused,
and the forms that it can be are named.
"""

from collections.abc import Collection
from math import isfinite

from marubatsu.engine.ais.reply import Fault, Reply
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.ambiguity import Ambiguity, AmbiguousError
from marubatsu.judge.agents.answer_cures import cure_of
from marubatsu.judge.agents.answer_forms import (
    AUTO,
    BY_VALUES,
    PLACES,
    SCORED,
    are_distinct,
    is_number,
    is_pair,
    is_place,
)
from marubatsu.judge.agents.calling import Plain, Unread
from marubatsu.judge.agents.faults import cut
from marubatsu.judge.agents.valued_moves import (
    Valued,
    by_chances,
    by_scores,
    by_weights,
    read_values,
)
from marubatsu.pipeline.support.errors import OptionError

_NOT_CHANCES = {
    ("scores",): "these values are neither chances nor weights; they can be scores, of which the "
    "best is played",
    ("weights", "scores"): "these values do not add up to 1, as chances do; they can be weights, "
    "such as visits, or scores, of which the best is played",
}


class _OutsideError(Exception):
    """A row, a column or a pair of them without a legal move."""


class AnswerReader:
    """Reads the answers of one AI in a form. Raises AmbiguousError: see `Ambiguity`."""

    def __init__(self, form: str, game: Game) -> None:
        """Name a form of `FORMS`. Raises OptionError when the game has no such answers."""
        if form == "column" and not game.gravity:
            raise OptionError("answers", form, f"{game.name} is played without gravity")
        self._form, self._game = form, game
        self._ambiguity = Ambiguity(game)

    def moves(self, answer: Plain, legal: list[int]) -> Reply | Fault:
        """Read an answer as moves. Raises AmbiguousError."""
        read = self._read(answer, legal, is_ordering=False)
        if isinstance(read, Fault):
            return read
        if not isinstance(read, Valued):
            return Reply(read)
        match self._form:
            case "chances":
                return by_chances(read)
            case "weights":
                return by_weights(read)
            case "scores":
                return by_scores(read, legal)
        reading = read_values(read, legal)
        if isinstance(reading, Reply | Fault):
            return reading
        raise AmbiguousError(_NOT_CHANCES[reading], reading)

    def ranks(self, answer: Plain, legal: list[int]) -> Reply | Fault:
        """Read the answer of an ordering as moves with scores, the greatest first.

        A list or tuple is a rank, and values are scores. Raises AmbiguousError.
        """
        if isinstance(answer, frozenset):
            return Fault("wrong answer", "a set has no order", "expected a list, the best first")
        read = self._read(answer, legal, is_ordering=True)
        if isinstance(read, Fault):
            return read
        if not isinstance(read, Valued):
            return Reply(read, tuple(-float(place) for place in range(len(read))))
        about = read.of(legal)
        if not all(map(isfinite, about.values)):
            return Fault("bad values", str(about), "expected finite scores")
        return Reply(about.moves, about.values)

    def _read(
        self, answer: Plain, legal: list[int], *, is_ordering: bool
    ) -> tuple[int, ...] | Valued | Fault:
        """Return the moves of an answer, each once, with their values if it has any."""
        if self._form == AUTO:
            self._ambiguity.require_one_reading(answer, legal)
        try:
            read = self._named(answer, legal, is_ordering=is_ordering)
        except _OutsideError as error:
            return Fault("illegal move", str(error))
        if read is None:
            return Fault("wrong answer", cut(repr(answer)), cure_of(answer, self._game, legal))
        return read

    def _named(
        self, answer: Plain, legal: list[int], *, is_ordering: bool
    ) -> tuple[int, ...] | Valued | Fault | None:
        """Return the moves that an answer names; None when it names none."""
        if self._form in SCORED and not is_ordering:
            move = answer[SCORED.index(self._form)] if is_pair(answer) else None
            return (move,) if isinstance(move, int) else None
        cell = self._cell(answer, legal)
        if cell is not None:
            return (cell,)
        if isinstance(answer, Unread | int | float):
            return None
        return self._several(answer, legal)

    def _cell(self, item: Plain, legal: list[int]) -> int | None:
        """Return the cell that an item names; None when it names none."""
        game = self._game
        if self._form in PLACES:
            if not is_place(item):
                return None
            row, column = item[:2] if self._form == PLACES[0] else item[1::-1]
            if not (0 <= row < game.rows and 0 <= column < game.columns):
                raise _OutsideError(
                    f"row {row} and column {column}; rows are 0 to {game.rows - 1}, columns 0 to "
                    f"{game.columns - 1}"
                )
            return int(row * game.columns + column)
        if not isinstance(item, int) or self._form != "column":
            return item if isinstance(item, int) else None
        cell_of = {cell % game.columns: cell for cell in legal}
        if item not in cell_of:
            raise _OutsideError(f"column {item}; legal: {', '.join(map(str, sorted(cell_of)))}")
        return cell_of[item]

    def _several(
        self, answer: Collection[Plain], legal: list[int]
    ) -> tuple[int, ...] | Valued | Fault | None:
        """Return the moves of a collection, or its moves with values; None when it has neither."""
        if not answer:
            return Fault("no move", "it returned no move")
        if isinstance(answer, dict):
            return self._valued(answer.items(), legal)
        vector = self._vector(answer)
        if self._form not in BY_VALUES:
            moves = [self._cell(item, legal) for item in answer]
            if None not in moves and (vector is None or are_distinct(moves)):
                return _each_once([move for move in moves if move is not None])
        return self._valued(answer, legal) if vector is None else vector

    def _vector(self, answer: Collection[Plain]) -> Valued | None:
        """Return a value for every cell of the board; None when there are not as many numbers."""
        is_by_cell = self._form not in (*PLACES, "column")
        if not is_by_cell or len(answer) != self._game.cells or not all(map(is_number, answer)):
            return None
        return Valued(tuple(range(len(answer))), tuple(map(float, answer)), is_vector=True)

    def _valued(self, pairs: Collection[Plain], legal: list[int]) -> Valued | Fault | None:
        """Return moves with values; None when something is no pair of both."""
        if not all(map(is_pair, pairs)):
            return None
        parted = [pair[::-1] if self._form == SCORED[1] else pair for pair in pairs]
        moves = [self._cell(item, legal) for item, _ in parted]
        if None in moves or not all(is_number(value) for _, value in parted):
            return None
        once = _each_once([move for move in moves if move is not None])
        if isinstance(once, Fault):
            return once
        return Valued(once, tuple(float(value) for _, value in parted))


def _each_once(moves: list[int]) -> tuple[int, ...] | Fault:
    if are_distinct(moves):
        return tuple(moves)
    twice = next(move for move in moves if moves.count(move) > 1)
    return Fault(
        "wrong answer",
        f"{cut(', '.join(map(str, moves)))}, with {twice} more than once",
        "expected each move once; chances are a mapping of moves, or a value for every cell",
    )
