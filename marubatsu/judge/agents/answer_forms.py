"""The forms of answers that an AI may give, and answers that can have several of them."""

from collections.abc import Collection, Sequence

from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.calling import Plain, Unread

AUTO = "auto"
PLACES = ("row-column", "column-row")  # from 0 at the top left, and perhaps a score; or several
SCORED = ("move-score", "score-move")  # one move
BY_VALUES = ("chances", "weights", "scores")  # a mapping of moves, pairs, or a value for every cell

FORMS = (AUTO, "moves", *PLACES, "column", *SCORED, *BY_VALUES)
"""Every form that users choose; docs/your-ai.md has what they mean, and examples."""


def is_number(value: Plain) -> bool:
    """Return whether a value is a number."""
    return isinstance(value, int | float)


def is_pair(value: Plain) -> bool:
    """Return whether a value is a tuple or list of two values."""
    return isinstance(value, tuple | list) and len(value) == len(SCORED)


def is_place(value: Plain) -> bool:
    """Return whether a value is a row and a column, with or without a score."""
    return (
        isinstance(value, tuple | list)
        and len(value) in (2, 3)
        and all(isinstance(each, int) for each in value[:2])
        and all(map(is_number, value[2:]))
    )


def are_distinct(moves: Collection[object]) -> bool:
    """Return whether no value is there twice."""
    return len({*moves}) == len(moves)


class AmbiguousError(Exception):
    """An answer that can be read in several ways: what it is, and the forms that it can be."""

    def __init__(self, what: str, forms: Sequence[str]) -> None:
        super().__init__(what)
        self.what, self.forms = what, tuple(forms)
        *most, last = forms
        self.cure = f"if so, add the option answers={last!r}"
        if most:
            self.cure = f"say which by the option answers ({', '.join(most)} or {last})"


# What whole numbers can be besides moves: row and column, or a move and its score; row, column and
# score; columns, with gravity; nothing, as what is no whole numbers.
_TWO, _THREE, _COLUMNS, _OTHER = 2, 3, "columns", "other"


class Ambiguity:
    """Decides whether an answer has one reading, from all answers of an AI so far.

    Two or three whole numbers can be moves. Where all answers so far have that shape, and one of
    them cannot be moves, they are likely to be something else, such as a row and a column.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._shapes: set[object] = set()  # of the answers so far

    def require_one_reading(self, answer: Plain, legal: list[int]) -> None:
        """Raise AmbiguousError for an answer that can be read in several ways."""
        if isinstance(answer, Unread | float):
            return
        if isinstance(answer, int) or {*map(type, answer)} == {int}:
            self._require_moves(answer, legal)
        else:
            self._shapes.add(_OTHER)
            self._require_known_pairs(answer)

    def _require_moves(self, answer: Plain, legal: list[int]) -> None:
        """Raise AmbiguousError for whole numbers that may be something else than moves."""
        shape, columns = self._shape(answer), self._columns_in(answer)
        self._shapes.add(shape)
        is_likely = self._shapes == {shape} and not _may_be_moves(answer, legal)
        column = ("column",) if columns else ()
        if shape == _TWO and (is_likely or isinstance(answer, tuple)):
            raise AmbiguousError(
                "two whole numbers can be row and column, column and row, a move and its score, "
                "or two moves",
                (*PLACES, *SCORED, "moves", *column),
            )
        if shape == _THREE and is_likely:
            what = "this can be row, column and score, or three moves"
            raise AmbiguousError(what, (*PLACES, "moves", *column))
        if shape == _COLUMNS and is_likely:
            self._require_cells(columns, legal)

    def _require_cells(self, columns: list[int], legal: list[int]) -> None:
        """Raise AmbiguousError where some columns are legal, and no cells of these numbers."""
        legal_columns = {cell % self._game.columns for cell in legal}
        open_columns = [column for column in columns if column in legal_columns]
        if open_columns and {*legal}.isdisjoint(open_columns):
            raise AmbiguousError(
                f"cell {open_columns[0]} is not legal, but column {open_columns[0]} is; a move is "
                "the cell that gets filled",
                ("column", "moves"),
            )

    def _shape(self, answer: Plain) -> int | str:
        is_list = isinstance(answer, tuple | list) and len(answer) != self._game.cells
        if is_list and len(answer) in (_TWO, _THREE):
            return len(answer)
        return _COLUMNS if self._columns_in(answer) else _OTHER

    def _columns_in(self, answer: Plain) -> list[int]:
        """Return the columns that all whole numbers of an answer can be; none without gravity."""
        if not self._game.gravity:
            return []
        items = [answer] if isinstance(answer, int) else list(answer)
        are_columns = all(item in range(self._game.columns) for item in items)
        return items if are_columns and are_distinct(items) else []

    def _require_known_pairs(self, answer: Collection[Plain]) -> None:
        """Raise AmbiguousError for pairs that can mean several things."""
        items = list(answer)
        if is_pair(answer) and all(map(is_number, items)) and len(items) != self._game.cells:
            whole = [isinstance(each, int) for each in items]
            if whole[0] != whole[1]:
                what = "a whole number and a fraction can be a move and its score"
                raise AmbiguousError(what, [SCORED[whole.index(True)]])
        if not items or not all(is_pair(item) and {*map(type, item)} == {int} for item in items):
            return
        if isinstance(answer, dict):
            raise AmbiguousError("the keys can be rows and columns, or columns and rows", PLACES)
        raise AmbiguousError(
            "these pairs can be rows and columns, columns and rows, or moves with chances, weights "
            "or scores",
            (*PLACES, *BY_VALUES),
        )


def _may_be_moves(answer: Plain, legal: list[int]) -> bool:
    """Return whether whole numbers are legal moves, each once."""
    moves = [answer] if isinstance(answer, int) else list(answer)
    return are_distinct([*map(repr, moves)]) and all(move in legal for move in moves)
