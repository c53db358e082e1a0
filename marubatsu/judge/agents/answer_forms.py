"""The forms of answers: how the answer of an AI is read as moves.

This is decided here for functions and for programs alike. What can be read in two ways is refused,
and the forms that it can be are named.
"""

from collections.abc import Collection, Sequence
from math import isfinite
from typing import NamedTuple

from marubatsu.engine.ais.reply import Fault, Reply
from marubatsu.engine.rules.board_text import EMPTY_CELL, MARKS
from marubatsu.engine.rules.game import Game
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

AUTO = "auto"


class AnswerForm(NamedTuple):
    """A form: what an answer is, and an example."""

    meaning: str
    example: str


FORMS = {
    AUTO: AnswerForm("any of the others that it can only be", "`4`, `[0, 4]`, `{4: 0.5, 0: 0.5}`"),
    "moves": AnswerForm("a move, or several in a list, tuple, array or set", "`4`, `(0, 4)`"),
    "row-column": AnswerForm(
        "row and column, from 0 at the top left, and perhaps a score; or several such pairs",
        "`(0, 2)` is cell 2",
    ),
    "column-row": AnswerForm("the same, the column first: x and y", "`(2, 0)` is cell 2"),
    "column": AnswerForm("in games with gravity, a column, from 0; or several", "`3`"),
    "move-score": AnswerForm("one move, and its score", "`(4, 0.5)`"),
    "score-move": AnswerForm("a score, and the move that has it", "`(0.5, 4)`"),
    "chances": AnswerForm(
        "chances that add up to 1: a mapping of moves, pairs, or a value for every cell",
        "`{4: 0.9, 0: 0.1}`",
    ),
    "weights": AnswerForm("the same with weights of 0 or more, such as visits", "`{4: 90, 0: 10}`"),
    "scores": AnswerForm(
        "the same with scores: the AI plays the best, each with the same chance", "`{4: 1, 0: -1}`"
    ),
}
"""Every form, by the name that users choose it with."""

_PLACES = ("row-column", "column-row")
_SCORED = ("move-score", "score-move")
_BY_VALUES = ("chances", "weights", "scores")
_NOT_CHANCES = {
    ("scores",): "these values are neither chances nor weights; they can be scores, of which the "
    "best is played",
    ("weights", "scores"): "these values do not add up to 1, as chances do; they can be weights, "
    "such as visits, or scores, of which the best is played",
}


class AmbiguousError(Exception):
    """An answer that can be read in several ways: what it is, and the forms that it can be."""

    def __init__(self, what: str, forms: Sequence[str]) -> None:
        super().__init__(what)
        self.what, self.forms = what, tuple(forms)
        *most, last = forms
        self.cure = f"if so, add the option answers={last!r}"
        if most:
            self.cure = f"say which by the option answers ({', '.join(most)} or {last})"


class _OutsideError(Exception):
    """A row, a column or a pair of them without a legal move."""


class AnswerReader:
    """Reads the answers of one AI in a form, and remembers what they looked like.

    It raises AmbiguousError for an answer that can be read in two ways. It also does so for one
    that cannot be moves, where all answers so far could be something else: two rows and columns.
    """

    def __init__(self, form: str, game: Game) -> None:
        """Name a form of `FORMS`. Raises OptionError when the game has no such answers."""
        if form == "column" and not game.gravity:
            raise OptionError("answers", form, f"{game.name} is played without gravity")
        self._form, self._game = form, game
        self._shapes: set[str] = set()

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
            self._require_one_reading(answer, legal)
        try:
            read = self._named(answer, legal, is_ordering=is_ordering)
        except _OutsideError as error:
            return Fault("illegal move", str(error))
        if read is None:
            return Fault("wrong answer", cut(repr(answer)), _cure(answer, self._game, legal))
        return read

    def _named(
        self, answer: Plain, legal: list[int], *, is_ordering: bool
    ) -> tuple[int, ...] | Valued | Fault | None:
        """Return the moves that an answer names; None when it names none."""
        if self._form in _SCORED and not is_ordering:
            move = answer[_SCORED.index(self._form)] if _is_pair(answer) else None
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
        if self._form in _PLACES:
            if not _is_place(item):
                return None
            row, column = item[:2] if self._form == _PLACES[0] else item[1::-1]
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
        if self._form not in _BY_VALUES:
            moves = [self._cell(item, legal) for item in answer]
            if None not in moves and (vector is None or _are_distinct(moves)):
                return _each_once([move for move in moves if move is not None])
        return self._valued(answer, legal) if vector is None else vector

    def _vector(self, answer: Collection[Plain]) -> Valued | None:
        """Return a value for every cell of the board; None when there are not as many numbers."""
        is_by_cell = self._form not in (*_PLACES, "column")
        if not is_by_cell or len(answer) != self._game.cells or not all(map(_is_number, answer)):
            return None
        return Valued(tuple(range(len(answer))), tuple(map(float, answer)), is_vector=True)

    def _valued(self, pairs: Collection[Plain], legal: list[int]) -> Valued | Fault | None:
        """Return moves with values; None when something is no pair of both."""
        if not all(map(_is_pair, pairs)):
            return None
        parted = [pair[::-1] if self._form == _SCORED[1] else pair for pair in pairs]
        moves = [self._cell(item, legal) for item, _ in parted]
        if None in moves or not all(_is_number(value) for _, value in parted):
            return None
        once = _each_once([move for move in moves if move is not None])
        if isinstance(once, Fault):
            return once
        return Valued(once, tuple(float(value) for _, value in parted))

    def _require_one_reading(self, answer: Plain, legal: list[int]) -> None:
        """Raise AmbiguousError for an answer that can be read in two ways."""
        if isinstance(answer, Unread | float):
            return
        if not isinstance(answer, int) and {*map(type, answer)} != {int}:
            self._shapes.add("")
            self._require_known_pairs(answer)
            return
        shape = self._shape(answer)
        self._shapes.add(shape)
        is_always = self._shapes == {shape} and not _may_be_moves(answer, legal)
        column = ("column",) * bool(self._columns_in(answer))
        if shape == "two" and (is_always or isinstance(answer, tuple)):
            raise AmbiguousError(
                "two whole numbers can be row and column, column and row, a move and its score, "
                "or two moves",
                (*_PLACES, *_SCORED, "moves", *column),
            )
        if shape == "three" and is_always:
            what = "this can be row, column and score, or three moves"
            raise AmbiguousError(what, (*_PLACES, "moves", *column))
        if shape == "column" and is_always:
            legal_columns = {cell % self._game.columns for cell in legal}
            open_columns = [each for each in self._columns_in(answer) if each in legal_columns]
            if not open_columns or not {*legal}.isdisjoint(open_columns):
                return
            raise AmbiguousError(
                f"cell {open_columns[0]} is not legal, but column {open_columns[0]} is; a move is "
                "the cell that gets filled",
                ("column", "moves"),
            )

    def _shape(self, answer: Plain) -> str:
        """Return what whole numbers could be besides moves, or nothing."""
        column = "column" if self._columns_in(answer) else ""
        if not isinstance(answer, tuple | list) or len(answer) == self._game.cells:
            return column
        return {2: "two", 3: "three"}.get(len(answer), column)

    def _columns_in(self, answer: Plain) -> list[int]:
        """Return the columns that all whole numbers of an answer can be; none without gravity."""
        if not self._game.gravity:
            return []
        items = [answer] if isinstance(answer, int) else list(answer)
        are_columns = all(item in range(self._game.columns) for item in items)
        return items if are_columns and _are_distinct(items) else []

    def _require_known_pairs(self, answer: Collection[Plain]) -> None:
        """Raise AmbiguousError for pairs that can mean several things."""
        items = list(answer)
        if _is_pair(answer) and all(map(_is_number, items)) and len(items) != self._game.cells:
            whole = [isinstance(each, int) for each in items]
            if whole[0] != whole[1]:
                what = "a whole number and a fraction can be a move and its score"
                raise AmbiguousError(what, [_SCORED[whole.index(True)]])
        if not items or not all(_is_pair(item) and {*map(type, item)} == {int} for item in items):
            return
        if isinstance(answer, dict):
            raise AmbiguousError("the keys can be rows and columns, or columns and rows", _PLACES)
        raise AmbiguousError(
            "these pairs can be rows and columns, columns and rows, or moves with chances, weights "
            "or scores",
            (*_PLACES, *_BY_VALUES),
        )


def _is_number(value: Plain) -> bool:
    return isinstance(value, int | float)


def _is_pair(value: Plain) -> bool:
    return isinstance(value, tuple | list) and len(value) == len(_SCORED)


def _is_place(value: Plain) -> bool:
    """Return whether a value is a row and a column, with or without a score."""
    return (
        isinstance(value, tuple | list)
        and len(value) in (2, 3)
        and all(isinstance(each, int) for each in value[:2])
        and all(map(_is_number, value[2:]))
    )


def _are_distinct(moves: Collection[object]) -> bool:
    return len({*moves}) == len(moves)


def _may_be_moves(answer: Plain, legal: list[int]) -> bool:
    """Return whether whole numbers are legal moves, each once."""
    moves = [answer] if isinstance(answer, int) else list(answer)
    return _are_distinct([*map(repr, moves)]) and all(move in legal for move in moves)


def _each_once(moves: list[int]) -> tuple[int, ...] | Fault:
    if _are_distinct(moves):
        return tuple(moves)
    twice = next(move for move in moves if moves.count(move) > 1)
    return Fault(
        "wrong answer",
        f"{cut(', '.join(map(str, moves)))}, with {twice} more than once",
        "expected each move once; chances are a mapping of moves, or a value for every cell",
    )


_ANY = "expected a move, moves, or moves with chances; the option answers names other forms"
_NUMBER = "expected the number of a move"
_DONE = "expected a function that returns when it is done: def, not async def"
_CURES = {
    "NoneType": "expected a move: does the function return one in every case?",
    "str": f"{_NUMBER}, as int(...) makes one of digits; agents that reply in sentences are asked "
    "by the option interface='textarena'",
    "bytes": f"{_NUMBER}, not a text",
    "bool": f"{_NUMBER}, not True or False",
    "ndarray": "expected an array of numbers, as array.astype(int) makes one",
    "Tensor": "expected a tensor of numbers, as tensor.int() makes one",
    "coroutine": _DONE,
    "async_generator": _DONE,
    "Future": _DONE,
    "Task": _DONE,
    "function": f"{_NUMBER}, not a function",
    "type": f"{_NUMBER}, not a class",
    "repeated": "expected each move once as a key",
    "line": "expected the numbers of moves, separated by spaces, or each of them with :chance",
}
"""What to return instead of a value of a type."""


def _cure(answer: Plain, game: Game, legal: list[int]) -> str:
    """Say what to return instead of an answer in no form."""
    match answer:
        case Unread() if _is_board(answer.text.strip("'"), game):
            return "a board: return the move that leads to it"
        case Unread():
            return _CURES.get(answer.type, f"{_NUMBER}, or several of them")
        case float():
            return "expected a whole number, as int(...) makes one"
        case dict():
            key = next((key for key in answer if isinstance(key, Unread)), None)
            alone = f"{key} is no move: return the move alone, or a mapping of moves to chances"
            return alone if key else "expected numbers as chances of the moves"
        case tuple() | list():
            return _of_row(answer, game, legal)
    return _ANY


def _of_row(answer: Collection[Plain], game: Game, legal: list[int]) -> str:
    items = list(answer)
    if all(isinstance(item, int | float) for item in items):
        return _of_numbers(len(items), game, legal)
    nested = [item for item in items if isinstance(item, tuple | list | dict | frozenset)]
    if len(nested) == len(items) == game.rows:
        return "rows of values: return them as one list, row by row"
    unread = [item.type for item in items if isinstance(item, Unread)]
    if len(unread) == len(items):
        return _CURES.get(unread[0], _ANY)
    if len(nested) == len(items) and all(isinstance(each, int) for i in nested for each in i):
        return "expected one list of moves, not lists in a list"
    return "expected the move alone, without a score or other values"


def _of_numbers(count: int, game: Game, legal: list[int]) -> str:
    if count == len(legal):
        return "as many values as legal moves: return dict(zip(legal_moves, values))"
    if game.gravity and count == game.columns:
        return "a value for each column: return a mapping from the cells that get filled"
    return f"expected moves as whole numbers, or a value for each of the {game.cells} cells"


def _is_board(text: str, game: Game) -> bool:
    return len(text) == game.cells and {EMPTY_CELL, *MARKS}.issuperset(text)
