"""Positions as text and as drawings; whether play can reach them.

The text of a board is its cells in order, ``.`` empty, ``o`` circle, ``x`` cross:
``o.x......`` is circle in the top left corner and cross in the top right one.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError, quote
from marubatsu.engine.rules.numbering import Numbering, column_name, move_text
from marubatsu.engine.rules.position import EMPTY, Position, bits

MARKS = "ox"
"""The mark of each side, by its code."""

EMPTY_CELL = "."

_EXCHANGED = str.maketrans(MARKS + MARKS.upper(), MARKS[::-1] + MARKS[::-1].upper())


class BoardError(InputError):
    """Text that is no position of the game; the message quotes it and says how to correct it."""


def to_text(game: Game, position: Position) -> str:
    """Write a position as its cells, row by row.

    >>> to_text(Game(3, 3, 3), Position(circle=0b000_000_001, cross=0b000_000_100))
    'o.x......'
    """
    return "".join(_marks(game, position))


def from_text(game: Game, text: str) -> Position:
    """Read a position.

    Raises BoardError when the text has a wrong length or other letters, and when play cannot
    reach the position: wrong numbers of marks, marks without support, both sides with a line, or
    a move after the end. (Where cells need support, a few boards pass that no order of moves
    reaches; only the table of positions excludes them.)

    >>> from_text(Game(3, 3, 3), "o.x......")
    Position(circle=1, cross=4)
    """
    if len(text) != game.cells or set(text) - {EMPTY_CELL, *MARKS}:
        raise BoardError(
            f"expected {game.cells} cells of '.ox' for {game.name}, got {len(text)}: {quote(text)}"
        )
    circle, cross = (
        sum(1 << cell for cell, sign in enumerate(text) if sign == mark) for mark in MARKS
    )
    return reached(game, Position(circle, cross))


def reached(game: Game, position: Position) -> Position:
    """Return a position. Raises BoardError when play cannot reach it, as `from_text` does."""
    fault = _fault(game, position)
    if fault:
        board = to_text(game, position)
        raise BoardError(f"no game of {game.name} reaches {quote(board)}: {fault}")
    return position


def exchange_marks(text: str) -> str:
    """Return a board with ``o`` and ``x`` exchanged, for boards on which cross begins.

    >>> exchange_marks("x.o......")
    'o.x......'
    """
    return text.translate(_EXCHANGED)


def _fault(game: Game, position: Position) -> str | None:
    """Return why play cannot reach a position, or None when it has no fault."""
    circles, crosses = position.circle.bit_count(), position.cross.bit_count()
    if circles - crosses not in (0, 1):
        return (
            f"it has {circles} o and {crosses} x, expected as many o as x, "
            "or one o more (circle begins)"
        )
    stuck = stuck_marks(game, position)
    if stuck:
        return _why_stuck(game, position, stuck)
    if game.has_line(position.circle) and game.has_line(position.cross):
        return "both sides have a line"
    waiting = position.turn  # the side that did not move last
    last = position[waiting.other]
    if game.has_line(position[waiting]):
        return f"the game ended with the line of {MARKS[waiting]}, before the last move"
    if game.has_line(last) and all(
        game.has_line(before[waiting.other]) for _, before in positions_before(game, position)
    ):
        return "no single last move made its lines"
    return None


def _why_stuck(game: Game, position: Position, stuck: int) -> str:
    for cell in bits(stuck):
        if not any(position.occupied & mask == mask for mask in game.supports[cell]):
            return f"nothing supports the mark on cell {cell}"
    if not position.circle & game.first_cells:
        return "no o is on a cell that the first mark may fill"
    return f"no order of moves opens cell {next(bits(stuck))}"


@lru_cache(maxsize=1024)
def is_reachable(game: Game, position: Position) -> bool:
    """Return whether some order of play leads to a position; the last answers are kept."""
    return line_to(game, position) is not None


def line_to(game: Game, position: Position) -> tuple[int, ...] | None:
    """Return the moves of a game that leads to a position, None when there is none.

    The sides take turns, every mark fills an open cell, and before the last mark no side has a
    line. It is always the same line; where all cells are open, each side fills its cells in
    ascending order.

    >>> line_to(Game("tictactoe"), Position(circle=0b100_000_001, cross=0b010_000_000))
    (0, 7, 8)
    """
    circles_ahead = position.circle.bit_count() - position.cross.bit_count()
    if circles_ahead not in (0, 1) or position.circle & position.cross:
        return None
    if stuck_marks(game, position):
        return None
    tried: set[Position] = set()
    left: list[tuple[Position, tuple[int, ...]]] = [(position, ())]
    while left:
        here, line = left.pop()
        if here == EMPTY:
            return line
        for cell, before in reversed([*positions_before(game, here)]):
            if before not in tried and not any(map(game.has_line, before)):
                tried.add(before)
                left.append((before, (cell, *line)))
                if game.all_open:
                    break  # Marks that contain no line contain none in any order.
    return None


def positions_before(game: Game, position: Position) -> Iterator[tuple[int, Position]]:
    """Yield each cell that the last move may have filled, ascending, with the position before."""
    for cell in bits(position[position.turn.other]):
        before = Position(position.circle & ~(1 << cell), position.cross & ~(1 << cell))
        if game.open_cells(before.occupied) >> cell & 1 and not stuck_marks(game, before):
            yield cell, before


def stuck_marks(game: Game, position: Position) -> int:
    """Return the mask of marks that no order sets, because their cells stay closed; 0 for none.

    Circle sets the first mark; after it, only which cells are filled counts, not by whom.
    """
    occupied = stuck = position.occupied
    for first in bits(position.circle & game.first_cells):
        filled = game.filled_after(first, occupied)
        stuck = min(stuck, occupied & ~filled, key=int.bit_count)
        if not stuck:
            break
    return stuck


def _marks(game: Game, position: Position) -> list[str]:
    circle, cross = position
    o, x = MARKS[0], MARKS[1]
    return [
        o if circle >> cell & 1 else x if cross >> cell & 1 else EMPTY_CELL
        for cell in range(game.cells)
    ]


def draw(game: Game, position: Position, numbering: Numbering | None = None) -> str:
    """Draw a position on several lines.

    An empty cell shows the move that fills it, by default the number of the cell. Where the move is
    a column, it is below: with gravity by default its letter.

    >>> print(draw(Game(3, 3, 3), Position(circle=0b000_000_001, cross=0b000_000_100)))
     o | 1 | x
    ---+---+---
     3 | 4 | 5
    ---+---+---
     6 | 7 | 8
    >>> print(draw(Game("2x2k2-gravity"), Position(circle=0b0100, cross=0)))
       |
    ---+---
     o |
     a   b
    """
    is_below = game.gravity and numbering in (None, Numbering.COLUMNS, Numbering.COLUMNS_FROM_1)
    if game.gravity and numbering is None:
        names = list(map(column_name, range(game.columns)))
    else:
        count = game.columns if is_below else game.cells
        names = [move_text(game, cell, numbering or Numbering.CELLS) for cell in range(count)]
    width = max(map(len, names))
    empty = [""] * game.cells if is_below else names
    pairs = zip(_marks(game, position), empty, strict=True)
    texts = [name if mark == EMPTY_CELL else mark for mark, name in pairs]
    rows = [texts[first : first + game.columns] for first in range(0, game.cells, game.columns)]
    rule = "\n" + "+".join(["-" * (width + 2)] * game.columns) + "\n"
    drawn = rule.join(_row(row, "|", width) for row in rows)
    return f"{drawn}\n{_row(names, ' ', width)}" if is_below else drawn


def _row(texts: Sequence[str], between: str, width: int) -> str:
    return between.join(f" {text:>{width}} " for text in texts).rstrip()
