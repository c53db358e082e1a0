"""Positions as people write them: a board in one of many spellings, or the moves so far."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Protocol, TypeAlias

from marubatsu.engine.notations.move_texts import (
    fitting_lines,
    moves_in,
    position_after,
    without_types,
)
from marubatsu.engine.notations.signs import (
    BoardLayout,
    UnclearMarksError,
    boards_of,
    first_mark,
    half_width,
    layouts_of_list,
    layouts_of_text,
    signs_in,
)
from marubatsu.engine.rules.board_text import (
    EMPTY_CELL,
    MARKS,
    BoardError,
    exchange_marks,
    from_text,
    reached,
    to_text,
)
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote, whole_number
from marubatsu.engine.rules.numbering import (
    APART,
    Numbering,
    NumberingError,
    cell_order,
    extent,
    goals,
    move_text,
    numbering_of,
    require_fit,
)
from marubatsu.engine.rules.position import Position


class SupportsToList(Protocol):
    """An array: something that becomes nested lists."""

    def tolist(self) -> Any:
        """Return nested lists."""


BoardLike: TypeAlias = str | Position | Sequence[Any] | SupportsToList
"""What is read as a position: a text, a list or an array of cells, or moves; or one as it is."""

_CIRCLE, _CROSS = MARKS[0], MARKS[1]
_NUMBER = re.compile("[0-9]{1,3}")
_PLAIN = frozenset({EMPTY_CELL, *MARKS})
_MOST_SIGNS = 10_000  # of a text; no drawing of a board needs as many


def read_position(
    game: Game, given: BoardLike, *, first: str = _CIRCLE, numbering: str | None = None
) -> Position:
    """Read a board or a list of moves; return a position that play can reach as it is.

    A board is a text or a list with the signs of its cells: in a line, in rows, in a drawing.
    ``first`` is the mark of the side that begins, which is circle here. Moves are in a
    ``numbering``, by default the numbers of cells, or their names. A board in a line or a list has
    its cells in the order of the numbering, by default row by row from the top.

    Raises BoardError, which quotes it, for what is no position or may be two; InputError for an
    unknown mark or numbering.

    >>> game = Game("tictactoe")
    >>> texts = "o.x......", "O-X/---/---", "o,b,x,b,b,b,b,b,b", "o| |x/ | | / | | ", "0,2", "a3 c3"
    >>> {read_position(game, given) for given in (*texts, [["o", "", "x"], [""] * 3, [None] * 3])}
    {Position(circle=1, cross=4)}
    >>> read_position(game, "x.o......", first="x") == read_position(game, "0,2")
    True
    """
    if isinstance(given, Position):
        return _of_whole_masks(game, given)
    return _Reading(game, given, first, numbering).position()


def read_board(
    game: Game, given: BoardLike, *, first: str = _CIRCLE, numbering: str | None = None
) -> Position:
    """Read a board as `read_position` does, but no moves. Raises BoardError.

    >>> read_board(Game("tictactoe"), [["x", "", ""], [""] * 3, [None, None, "o"]])
    Position(circle=256, cross=1)
    """
    return _Reading(game, given, first, numbering).position(may_be_moves=False)


def _of_whole_masks(game: Game, given: Position) -> Position:
    """Return a position, its masks as Python's numbers. Raises BoardError if no game reaches it.

    >>> _of_whole_masks(Game("tictactoe"), Position(1, 2))
    Position(circle=1, cross=2)
    """
    try:
        position = Position(*map(whole_number, given))
    except TypeError:
        position = Position(-1, -1)
    if position.occupied & ~game.full or position.circle & position.cross:
        raise BoardError(
            f"{quote(given)} is no position of {game.name}: expected masks of different cells, as "
            f"whole numbers from 0 to {game.full}"
        )
    return reached(game, position)


class _Reading:
    """A text or a list that is given as a position, and the options that say how to read it."""

    def __init__(self, game: Game, given: object, first: str, numbering: str | None) -> None:
        """Check the options. Raises InputError."""
        self.game, self.given, self.first = game, given, first_mark(first)
        self.numbering = None if numbering is None else numbering_of(numbering)
        self.order = self.numbering or Numbering.CELLS
        require_fit(game, self.order)

    def position(self, *, may_be_moves: bool = True) -> Position:
        """Return the only position that this may be. Raises BoardError."""
        given = self.given
        if isinstance(given, str) and self._is_plain(given):
            return self._reached(given if self.first != _CROSS else exchange_marks(given))
        if isinstance(given, str) and len(given) > _MOST_SIGNS:
            raise BoardError(
                f"{quote(given)} has {len(given):,} characters: expected the text of a board or of "
                f"moves, at most {_MOST_SIGNS:,}"
            )
        seen = self._seen()
        read: dict[Position, str] = {}
        faults: list[BoardError] = []
        for layout in self._layouts(seen):
            try:
                for board in self._boards(layout):
                    position = self._reached(board, in_rows=layout.in_rows)
                    read.setdefault(position, f"the board {board}")
            except BoardError as error:
                faults.append(error)
        unclear = next((each for each in faults if isinstance(each, UnclearMarksError)), None)
        try:
            moves = moves_in(self.game, seen, self.order, is_stated=self.numbering is not None)
            # The rows 001 002 000 may be moves, too.
            if may_be_moves and moves is not None and unclear is None:
                position = position_after(self.game, moves, self.order, given, seen)
                read.setdefault(position, f"moves that lead to {to_text(self.game, position)}")
        except (BoardError, NumberingError) as error:
            faults.append(BoardError(str(error)))
        if len(read) > 1:
            raise BoardError(
                f"{quote(given)} may be {' or '.join(read.values())}: expected a text that is only "
                "one of them"
            )
        if not read:
            fault = faults[0] if faults else self._no_position(seen)
            raise unclear or fault
        return next(iter(read))

    def _seen(self) -> str | list[Any]:
        """Return what is given, a pair in round brackets as one move in numberings of pairs.

        Raises BoardError for a pair that may be two moves or a place.
        """
        seen = _seen(self.given)
        if not _seen_as_pair(self.given, seen):
            return seen
        if self.numbering is not None:
            return [seen] if "," in move_text(self.game, 0, self.order) else seen
        fits = fitting_lines(self.game, [seen])
        if fits:
            raise BoardError(
                f"{quote(self.given)} may be two moves, or a row and a column: the option "
                f"numbering says which: {', '.join([Numbering.CELLS, *fits])}"
            )
        return seen

    def _is_plain(self, text: str) -> bool:
        is_usual = self.numbering is None and self.first in MARKS
        return is_usual and len(text) == self.game.cells and _PLAIN.issuperset(text)

    def _layouts(self, seen: str | list[Any]) -> Iterator[BoardLayout]:
        """Yield the ways to see a board; numbers in a line are no marks when some exceed 2."""
        if isinstance(seen, str):
            layouts = layouts_of_text(self.game, seen)
        else:
            by_column = _is_by_column(self.game, self.order)
            layouts = layouts_of_list(self.game, seen, by_column=by_column)
        for layout in layouts:
            is_numbers = all(map(str.isdecimal, layout.signs))
            if layout.in_rows or not is_numbers or {*map(int, layout.signs)} <= {0, 1, 2}:
                yield layout

    def _boards(self, layout: BoardLayout) -> list[str]:
        """Return the boards that signs stand for, in our order and our marks."""
        game = self.game
        if layout.is_labelled and (
            self.first == _CIRCLE or (game.gravity and self.numbering is None)
        ):
            order = f" and the option numbering='{Numbering.BY_COLUMN_FROM_BOTTOM}'" * game.gravity
            raise BoardError(
                f"{quote(self.given)} has a class behind its {game.cells} cells, as the UCI sets, "
                f"in which x begins: use the option first='x'{order}, or leave the class out"
            )
        signs = list(layout.signs)
        if not layout.in_rows:
            for sign, cell in zip(layout.signs, cell_order(game, self.order), strict=True):
                signs[cell] = sign
        return boards_of(game, self.given, signs, self.first, in_rows=layout.in_rows)

    def _reached(self, board: str, *, in_rows: bool = False) -> Position:
        """Return the position of a board. Raises BoardError, which names options that would fit."""
        try:
            return from_text(self.game, board)
        except BoardError as error:
            is_given = isinstance(self.given, str) and self.given == board
            read = "" if is_given else f"{quote(self.given)} is read as {board}, and "
            raise BoardError(f"{read}{error}{self._cure(board, in_rows=in_rows)}") from None

    def _cure(self, board: str, *, in_rows: bool) -> str:
        """Name the options with which a game reaches a board, as the end of an error."""
        orders = {tuple(range(self.game.cells)): ""}
        if self.game.gravity and self.numbering is None and not in_rows:
            for each in Numbering:
                if goals(self.game, each):
                    orders.setdefault(cell_order(self.game, each), f"the option numbering='{each}'")
        firsts = {board: ""}
        if self.first in MARKS:
            other = _CROSS if self.first == _CIRCLE else _CIRCLE
            firsts[exchange_marks(board)] = f"the option first='{other}'"
        for marks, first in firsts.items():
            fitting = [
                name for order, name in orders.items() if _is_reached(self.game, marks, order)
            ]
            if fitting:
                options = [" or ".join(filter(None, fitting)), first]
                return f"; a game reaches it with {' and '.join(filter(None, options))}"
        if in_rows and self.game.gravity:
            rows = cell_order(self.game, Numbering.FROM_BOTTOM)
            return "; write the top row first" * _is_reached(self.game, board, rows)
        return ""

    def _no_position(self, seen: str | list[Any]) -> BoardError:
        game, given = self.game, quote(self.given)
        rows = f"{game.rows} rows of {game.columns} cells"
        if isinstance(seen, list):
            transposed = ", of PettingZoo's tictactoe transposed" * (not game.gravity)
            return BoardError(
                f"{given} is no board of {game.name}: expected a list of {game.cells} cells, or of "
                f"{rows}, or of moves; several boards are given one at a time, and planes of marks "
                f"as one board, planes[..., 0] + 2 * planes[..., 1]{transposed}"
            )
        lines = [line for line in re.split(r"[/\n]", seen) if line.strip()]
        if len(lines) > 1:
            return BoardError(
                f"{given} has rows of another length: expected {rows} for {game.name}, and no "
                "other text"
            )
        fits = fitting_lines(game, seen)
        apart = f"; moves are {extent(game, self.order)}{APART}" * any(map(str.isdecimal, seen))
        if fits:
            apart = f"; the option numbering reads it as moves: {', '.join(fits)}"
        if seen.isdecimal() and len(seen) == game.cells:
            return BoardError(
                f"{given} may be the numbers of empty cells, or moves: write . for an empty cell"
                f"{apart}"
            )
        return BoardError(
            f"expected {game.cells} cells of '.ox' for {game.name}, got {signs_in(seen)}: "
            f"{given}{apart}"
        )


def _is_by_column(game: Game, numbering: Numbering) -> bool:
    order = cell_order(game, numbering)
    return game.rows > 1 and abs(order[1] - order[0]) == game.columns > 1


def _is_reached(game: Game, board: str, order: Sequence[int]) -> bool:
    signs = dict(zip(order, board, strict=True))
    try:
        from_text(game, "".join(signs[cell] for cell in range(game.cells)))
    except BoardError:
        return False
    return True


def _seen(given: object) -> str | list[Any]:
    """Return a text or a list; a text may write a list, or quote a text. Raises BoardError."""
    if isinstance(given, str):
        text = half_width(given).removeprefix("\ufeff")
        listed = list_in(text)
        if listed is None:
            return text
        return listed[0] if len(listed) == 1 and isinstance(listed[0], str) else listed
    if isinstance(given, Mapping) and "board" in given:
        raise BoardError(f"{quote(given)} is no position: give only its 'board'")
    nested = without_array(given)
    if not isinstance(nested, list | tuple):
        raise BoardError(
            f"{quote(given)} is no position: expected the text of a board or of moves, or a list"
        )
    try:
        return _as_lists(nested)
    except RecursionError:
        raise BoardError("expected a board or moves, got lists in too many lists") from None


def _as_lists(listed: Sequence[Any]) -> list[Any]:
    parts = map(without_array, listed)
    return [_as_lists(each) if isinstance(each, list | tuple) else each for each in parts]


def without_array(given: Any) -> Any:
    """Return the list or number of an array of a library, such as NumPy, all else as it is."""
    names = ("tolist", "to_list", "to_pylist")  # The last two are those of Polars and of Arrow.
    to_list = next(filter(None, (getattr(given, name, None) for name in names)), None)
    return to_list() if to_list else given


def _seen_as_pair(given: object, seen: str | list[Any]) -> bool:
    """Return whether two whole numbers are given as a tuple, an array or in round brackets."""
    is_round = isinstance(given, str) and given.strip().startswith("(")
    is_listed = isinstance(given, list | str) and not is_round
    return not is_listed and len(seen) == 2 and all(type(each) is int for each in seen)


_CALL = re.compile(r"[\w.]*\(\s*+(?=\[)")  # as in np.array(
_CALL_END = re.compile(r"(?:,\s*+dtype=[^()]*)?\)$")
_PIECE = re.compile(
    r"\s*+(?:(?P<open>[\[(])|(?P<close>[\])])|(?P<comma>,)|\x22(?P<text>[^\x22]*)\x22"
    r"|'(?P<quoted>[^']*)'|(?P<bare>[^\s,\[\]()\x22']++)(?![\[(\x22']))\s*+"
)
_INTEGER = re.compile("[+-]?[0-9]{1,9}")


def list_in(text: str) -> list[object] | None:
    r"""Return the list that a text writes; None where it writes none.

    Its parts are lists, texts, None and whole numbers. The brackets around the whole may be
    missing, and commas.

    >>> list_in('[["X", null], [1, -1]]'), list_in("[['o' 'x']\n [' ' 'x']]")
    ([['X', None], [1, -1]], [['o', 'x'], [' ', 'x']])
    >>> list_in("array([0., 1, 2], dtype=int8)"), list_in("(1, 2), (0, 0)"), list_in("o.x")
    (['0.', 1, 2], [[1, 2], [0, 0]], None)
    """
    if not set("[('\"") & set(text):
        return None
    text = without_types(text).strip()
    call = _CALL.match(text)
    text = _CALL_END.sub("", text[call.end() :]) if call else text
    pieces: list[re.Match[str]] = []
    while piece := _PIECE.match(text, pieces[-1].end() if pieces else 0):
        pieces.append(piece)
    kinds = [piece.lastgroup for piece in pieces]
    if sum(len(piece[0]) for piece in pieces) < len(text):
        return None
    written = [_as_json(piece) for piece in pieces]
    for at, (kind, after) in enumerate(pairwise(kinds)):
        if kind not in ("open", "comma") and after not in ("close", "comma"):
            written[at] += ","
    try:
        whole: list[object] = json.loads(f"[{''.join(written)}]")
    except (ValueError, RecursionError):
        return None
    return whole[0] if len(whole) == 1 and isinstance(whole[0], list) else whole


def _as_json(piece: re.Match[str]) -> str:
    kind = piece.lastgroup or ""
    if kind in ("open", "close", "comma"):
        return {"open": "[", "close": "]", "comma": ","}[kind]
    value = piece[kind]
    if kind == "bare" and value in ("None", "null"):
        return "null"
    is_number = kind == "bare" and _INTEGER.fullmatch(value)
    return str(int(value)) if is_number else json.dumps(value)
