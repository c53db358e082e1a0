"""The replies of an AI, read as moves; an `Answer` is what an oracle says.

This is decided here for functions and for programs alike. What can be read in two ways is refused,
and the forms that it can be are named.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf, isfinite, nan
from typing import NamedTuple

from marubatsu.engine.ais.reply import TOLERANCE, Fault, Reply, are_chances
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import one_of
from marubatsu.judge.agents.faults import cut
from marubatsu.judge.agents.interfaces import AnswerError
from marubatsu.judge.agents.plain_values import Plain, Unread, cure_of
from marubatsu.pipeline.support.errors import OptionError

AUTO = "auto"

_RANKS = 10
"""After so many answers that all list every legal move, in other orders than by number, they may be
ranks: the best move first."""

PLACES = ("row-column", "column-row")  # from 0 at the top left, and perhaps a score; or several
SCORED = ("move-score", "score-move")  # one move
OTHER_THAN_CELLS = (*PLACES, "column")  # forms whose numbers name no cells
BY_VALUES = ("chances", "weights", "scores")  # a mapping of moves, pairs, or a value for every cell

_COLUMN, _VALUES = ("column",), BY_VALUES[1:]
FORMS = (AUTO, "moves", *PLACES, "column", *SCORED, *BY_VALUES)
"""Every form that users choose; docs/your-ai.md has what they mean, and examples."""


def _is_number(value: Plain) -> bool:
    return isinstance(value, int | float)


def is_pair(value: Plain) -> bool:
    """Return whether a value is a list of two, such as a move and its score."""
    return isinstance(value, tuple | list) and len(value) == 2


def _is_valued(value: Plain) -> bool:
    return is_pair(value) and type(value[0]) is int and type(value[1]) in (int, float)


def _is_place(value: Plain) -> bool:
    return (
        isinstance(value, tuple | list)
        and len(value) in (2, 3)
        and all(isinstance(each, int) for each in value[:2])
        and all(map(_is_number, value[2:]))
    )


def _are_distinct(moves: Collection[object]) -> bool:
    return len({*moves}) == len(moves)


def _is_almost_rank(answer: Collection[Plain]) -> bool:
    """Return whether whole numbers, as many as cells, name all cells but one or two.

    >>> _is_almost_rank([4, 4, 2, 6, 8, 1, 3, 5, 7]), _is_almost_rank([3, 2, 3, 2, 4, 2, 3, 2, 3])
    (True, False)
    """
    cells = {*range(len(answer))}
    return {*map(type, answer)} == {int} and {*answer} <= cells and len({*answer}) >= len(cells) - 2


def _columns(legal: list[int], game: Game) -> set[int]:
    return {cell % game.columns for cell in legal} if game.gravity else set()


_OTHER_THAN_CELL: Mapping[str, Callable[[int, list[int], Game], bool]] = {
    "a column from 0": lambda move, legal, game: move in _columns(legal, game),
    "a column from 1": lambda move, legal, game: move - 1 in _columns(legal, game),
    "the number of a cell from 1": lambda move, legal, game: move - 1 in legal,
    "any cell of a column": lambda move, legal, game: (
        0 <= move < game.cells and move % game.columns in _columns(legal, game)
    ),
    "a place in the list of legal moves, from 0": lambda move, legal, game: 0 <= move < len(legal),
    "a place in the list of legal moves, from 1": lambda move, legal, game: 0 < move <= len(legal),
}
"""What an AI may mean by the number of a move, and whether that is legal."""


class AmbiguousError(Exception):
    """An answer that can be read in several ways, and the forms that it can be."""

    def __init__(self, *forms: str, what: str = "its form is not clear") -> None:
        super().__init__(f"{what}; say how to read it by the option answers ({one_of(forms)})")
        self.forms = forms


class Ambiguity:
    """Decides whether an answer has one reading, from all answers of an AI so far.

    Two or three whole numbers can be moves. Where all answers so far have that shape, and one of
    them cannot be moves, they are likely to be something else, such as a row and a column.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._seen: set[tuple[str, ...]] = set()  # other forms of the answers so far
        self._in_order: list[bool] = []  # whether the moves of each answer are in order
        self._list_all_moves = True  # whether every answer lists all legal moves

    def require_one_reading(self, answer: Plain, legal: list[int]) -> None:
        """Raise AmbiguousError for an answer that can be read in several ways."""
        if isinstance(answer, Unread | float):
            return
        if not isinstance(answer, int) and all(map(_is_valued, answer)):
            values = dict(answer)
            answer = values if float in map(type, values.values()) else answer
        if isinstance(answer, int) or {*map(type, answer)} == {int}:
            self._require_moves(answer, legal)
        else:
            self._seen.add(())
            if forms := self._forms_of_pairs(answer):
                raise AmbiguousError(*forms)

    def require_choice(self, moves: Sequence[int], legal: list[int]) -> None:
        """Raise AmbiguousError where the first answers list all legal moves, as ranks do."""
        if len(legal) > 1:
            self._list_all_moves &= {*moves} == {*legal}
            self._in_order.append([*moves] in (legal, legal[::-1]))
        is_time = len(self._in_order) == _RANKS
        if is_time and self._list_all_moves and not all(self._in_order):
            raise AmbiguousError(
                "moves", what="every answer so far has all legal moves, as a rank does, and an AI "
                "returns only the moves that it may play",
            )  # fmt: skip

    def _require_moves(self, answer: Plain, legal: list[int]) -> None:
        """Raise AmbiguousError for whole numbers that may be something else than moves."""
        moves = [answer] if isinstance(answer, int) else list(answer)
        forms, columns = self._forms_of_numbers(answer, legal), self._columns_in(answer)
        self._seen.add(forms)
        is_distinct = _are_distinct(moves)
        is_likely = self._seen == {forms} and not (is_distinct and {*moves} <= {*legal})
        if forms == _COLUMN:  # Some columns can be played, and no cells of these numbers.
            played = {cell % self._game.columns for cell in legal}.intersection(columns)
            is_likely &= bool(played) and played.isdisjoint(legal)
        elif forms == _VALUES:
            is_likely &= is_distinct and {*moves} != {*range(self._game.cells)}
        elif columns:
            forms = (*forms, *_COLUMN)
        if forms and (is_likely or (isinstance(answer, tuple) and len(answer) == 2)):
            raise AmbiguousError(*forms, "moves")

    def _forms_of_numbers(self, answer: Plain, legal: list[int]) -> tuple[str, ...]:
        count = len(answer) if isinstance(answer, tuple | list) else 1
        if count in (2, 3) and count != self._game.cells:
            return (*PLACES, *SCORED) if count == 2 else PLACES
        if self._columns_in(answer):
            return _COLUMN
        return _VALUES if count > 1 and count in (len(legal), self._game.cells) else ()

    def _columns_in(self, answer: Plain) -> list[int]:
        """Return what all whole numbers of an answer can be: columns, from 0 or 1, with gravity."""
        if not self._game.gravity:
            return []
        items = [answer] if isinstance(answer, int) else list(answer)
        are_columns = all(item in range(self._game.columns + 1) for item in items)
        return items if are_columns and _are_distinct(items) else []

    def _forms_of_pairs(self, answer: Collection[Plain]) -> tuple[str, ...]:
        """Return the forms of pairs that can mean several things; none for other answers."""
        items = list(answer)
        if len(items) != self._game.cells and all(map(_is_number, items)):
            whole = [isinstance(each, int) for each in items]
            if is_pair(answer) and whole[0] != whole[1]:
                return (SCORED[0] if whole[0] else SCORED[1],)
            if _is_place(answer) and not whole[-1]:
                return PLACES
        if not items or not all(is_pair(item) and {*map(type, item)} == {int} for item in items):
            return ()
        return PLACES if isinstance(answer, dict) else (*PLACES, *BY_VALUES)


class Valued(NamedTuple):
    """Moves, each once, with a value for each; or a value for every cell of the board."""

    moves: tuple[int, ...]
    values: tuple[float, ...]
    is_vector: bool = False

    def of(self, legal: list[int]) -> "Valued":
        """Return the values that are about an AI's choice: of every cell, those of legal moves."""
        if not self.is_vector:
            return self
        return Valued(tuple(legal), tuple(self.values[move] for move in legal))

    def __str__(self) -> str:
        pairs = zip(self.moves, self.values, strict=True)
        return ", ".join(f"{move}: {value:g}" for move, value in pairs)


def by_weights(valued: Valued, legal: list[int]) -> Reply | Fault:
    """Read weights of 0 or more; a move with weight 0 is not played."""
    values = valued.values
    if not all(value >= 0 for value in values) or not 0 < sum(values) < inf:
        return _bad(valued, "expected weights of 0 or more, some of them more")
    kept = [(move, w) for move, w in zip(valued.moves, values, strict=True) if w]
    weights = tuple(float(weight) for _, weight in kept)
    is_even = max(weights) == min(weights)
    return Reply(tuple(move for move, _ in kept), None if is_even else weights)


def by_chances(valued: Valued, legal: list[int]) -> Reply | Fault:
    """Read chances, which add up to 1."""
    if not all(map(isfinite, valued.values)) or not are_chances(valued.values):
        return _bad(valued, f"expected chances of 0 or more that add up to 1, within {TOLERANCE:g}")
    return by_weights(valued, legal)


def by_scores(valued: Valued, legal: list[int]) -> Reply | Fault:
    """Read scores, as good as the moves are for the mover: the best ones are the candidates.

    The logarithm of a chance of 0 is minus infinity.
    """
    about = valued.of(legal)
    best = max(about.values, default=nan)
    if not isfinite(best) or not all(map(_is_score, about.values)):
        return _bad(about, "expected finite scores of the legal moves, or minus infinity")
    pairs = zip(about.moves, about.values, strict=True)
    return Reply(tuple(move for move, score in pairs if score == best))


def by_any_values(valued: Valued, legal: list[int]) -> Reply | Fault:
    """Read values whose kind is not named.

    They are chances if they add up to 1. Others are read where weights and scores mean the same;
    else they raise AmbiguousError.
    """
    about = valued.of(legal).values
    if not all(map(_is_score, about)) or not any(map(isfinite, about)):
        return _bad(valued, "expected finite numbers")
    if all(map(isfinite, valued.values)):
        weighed, scored = by_weights(valued, legal), by_scores(valued, legal)
        if are_chances(valued.values) or weighed == scored:
            return weighed
        if isinstance(weighed, Reply):
            raise AmbiguousError(*_VALUES)
    raise AmbiguousError("scores")


_BY_FORM = {"chances": by_chances, "weights": by_weights, "scores": by_scores}
"""How the values of a form are read; those of other forms `by_any_values`."""


def _is_score(value: float) -> bool:
    return value < inf  # NaN is not.


def _bad(valued: Valued, expected: str) -> Fault:
    return Fault("bad values", str(valued), expected)


class ReplyReader:
    """Reads the replies of one AI in a form. Raises AmbiguousError: see `Ambiguity`."""

    def __init__(self, form: str, game: Game) -> None:
        """Name a form of `FORMS`. Raises OptionError when the game has no such answers."""
        if form == "column" and not game.gravity:
            raise OptionError("answers", form, f"{game.name} is played without gravity")
        self._form, self._game = form, game
        self._ambiguity = Ambiguity(game)
        self.meanings: list[str] | None = None
        """Other meanings by which all moves so far are legal; None before the first."""

    @property
    def hint(self) -> str:
        """How every answer so far would be legal, if an AI means something else by its moves."""
        if not self.meanings:
            return ""
        are_cells = self._form not in OTHER_THAN_CELLS
        cure = ": return the number of the cell that gets filled, from 0" * are_cells
        return f"every answer would be legal as {', or as '.join(self.meanings)}{cure}"

    def moves(self, answer: Plain, legal: list[int]) -> Reply | Fault:
        """Read an answer as moves. Raises AmbiguousError."""
        reply = self._moves(answer, legal)
        if isinstance(reply, Reply) and self._form not in OTHER_THAN_CELLS:
            known = _OTHER_THAN_CELL if self.meanings is None else self.meanings
            self.meanings = [
                meaning
                for meaning in known
                if all(_OTHER_THAN_CELL[meaning](move, legal, self._game) for move in reply.moves)
            ]
        return reply

    def _moves(self, answer: Plain, legal: list[int]) -> Reply | Fault:
        read = self._read(answer, legal, is_ordering=False)
        if isinstance(read, Fault):
            return read
        if not isinstance(read, Valued):
            if self._form == AUTO and isinstance(answer, list | tuple):
                self._ambiguity.require_choice(read, legal)
            return Reply(read)
        return _BY_FORM.get(self._form, by_any_values)(read, legal)

    def ranks(self, answer: Plain, legal: list[int]) -> Reply | Fault:
        """Read the answer of an ordering as moves with scores, the greatest first.

        A list or tuple is a rank, and values are scores. Raises AmbiguousError.
        """
        if isinstance(answer, frozenset):
            cure = "expected a list, the best first, as list(...) makes one of keys"
            return Fault("wrong answer", "a set has no order", cure)
        read = self._read(answer, legal, is_ordering=True)
        if isinstance(read, Fault):
            return read
        if not isinstance(read, Valued):
            return Reply(read, tuple(-float(place) for place in range(len(read))))
        if self._form == AUTO and read.is_vector and _is_almost_rank(answer):
            raise AmbiguousError("moves", "scores")
        if self._form == AUTO and read.is_vector and self._is_next_board(read.values, legal):
            raise AmbiguousError("scores", what="this can be a board after one of the moves")
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
        except AnswerError as error:
            return error.fault
        if read is None:
            cure = cure_of(answer, self._form, self._game.cells)
            return Fault("wrong answer", cut(repr(answer)), cure)
        return read

    def _named(
        self, answer: Plain, legal: list[int], *, is_ordering: bool
    ) -> tuple[int, ...] | Valued | None:
        """Return the moves that an answer names; None when it names none.

        Raises AnswerError and AmbiguousError.
        """
        if self._form in SCORED and not is_ordering:
            at = 0 if self._form == SCORED[0] else 1
            move = answer[at] if is_pair(answer) else None
            return (move,) if isinstance(move, int) else None
        cell = self._cell(answer, legal)
        if cell is not None:
            return (cell,)
        if isinstance(answer, Unread | int | float):
            return None
        return self._several(answer, legal)

    def _cell(self, item: Plain, legal: list[int]) -> int | None:
        """Return the cell that an item names; None when it names none. Raises AnswerError."""
        game = self._game
        if self._form in PLACES:
            if not _is_place(item):
                return None
            row, column = item[:2] if self._form == PLACES[0] else item[1::-1]
            free = {divmod(cell, game.columns) for cell in legal}
            other = PLACES[self._form == PLACES[0]]
            self._keep_meanings({
                "rows and columns from 1: count them from 0": (row - 1, column - 1) in free,
                "rows from the bottom: count from the top": (game.rows - 1 - row, column) in free,
                f"{other}: add the option answers={other!r}": (column, row) in free,
            })  # fmt: skip
            if not (0 <= row < game.rows and 0 <= column < game.columns):
                raise AnswerError(
                    "illegal move",
                    f"row {row} and column {column}; rows are 0 to {game.rows - 1}, columns 0 to "
                    f"{game.columns - 1}",
                )
            return int(row * game.columns + column)
        if not isinstance(item, int) or self._form != "column":
            return item if isinstance(item, int) else None
        cell_of = {cell % game.columns: cell for cell in legal}
        self._keep_meanings({"columns from 1: count them from 0": item - 1 in cell_of})
        if item not in cell_of:
            places = ", ".join(map(str, sorted(cell_of)))
            raise AnswerError("illegal move", f"column {item}; legal: {places}")
        return cell_of[item]

    def _keep_meanings(self, fits: Mapping[str, bool]) -> None:
        known = fits if self.meanings is None else self.meanings
        self.meanings = [meaning for meaning in known if fits[meaning]]

    def _several(
        self, answer: Collection[Plain], legal: list[int]
    ) -> tuple[int, ...] | Valued | None:
        """Return the moves of a collection, or its moves with values; None when it has neither."""
        if not answer:
            raise AnswerError("no move", "it returned no move")
        if isinstance(answer, dict):
            return self._valued(answer.items(), legal)
        vector = self._vector(answer)
        if self._form not in BY_VALUES:
            moves = [self._cell(item, legal) for item in answer]
            if None not in moves and (vector is None or _are_distinct(moves)):
                return _each_once(moves)
        return self._valued(answer, legal) if vector is None else vector

    def _vector(self, answer: Collection[Plain]) -> Valued | None:
        is_by_cell = self._form not in OTHER_THAN_CELLS
        if not is_by_cell or len(answer) != self._game.cells or not all(map(_is_number, answer)):
            return None
        return Valued(tuple(range(len(answer))), tuple(map(float, answer)), is_vector=True)

    def _is_next_board(self, values: Sequence[float], legal: list[int]) -> bool:
        """Return whether numbers can be the marks of a board after a legal move."""
        filled = {cell for cell, mark in enumerate(values) if mark}
        is_full = {*filled, *legal} == {*range(self._game.cells)} or self._game.gravity
        marks = {*values} - {0}
        return is_full and len(filled.intersection(legal)) == 1 and marks in ({1, 2}, {1, -1})

    def _valued(self, pairs: Collection[Plain], legal: list[int]) -> Valued | None:
        """Return moves with values; None when something is no pair of both."""
        if not all(map(is_pair, pairs)):
            return None
        parted = [pair[::-1] if self._form == SCORED[1] else pair for pair in pairs]
        moves = [self._cell(item, legal) for item, _ in parted]
        if None in moves or not all(_is_number(value) for _, value in parted):
            return None
        return Valued(_each_once(moves), tuple(float(value) for _, value in parted))


def _each_once(moves: list[int | None]) -> tuple[int, ...]:
    once = tuple(move for move in moves if move is not None)
    if _are_distinct(once):
        return once
    twice = next(move for move in once if once.count(move) > 1)
    raise AnswerError(
        "wrong answer",
        f"{cut(', '.join(map(str, moves)))}, with {twice} more than once",
        "expected each move once; chances are a mapping of moves, or a value for every cell",
    )
