"""Positions as text and as drawings.

The text of a board is its cells in order, ``.`` empty, ``o`` circle, ``x`` cross:
``o.x......`` is circle in the top left corner and cross in the top right one.
"""

from marubatsu.engine.rules.game import Game, InputError, bits, quote

EMPTY, CIRCLE, CROSS = ".ox"


class BoardError(InputError):
    """Text that is no position of the game; the message quotes it and tells the cure."""


def to_text(game: Game, circle: int, cross: int) -> str:
    """Write a position as its cells, row by row.

    >>> to_text(Game(3, 3, 3), 0b000_000_001, 0b000_000_100)
    'o.x......'
    """
    return "".join(_mark(circle, cross, cell) for cell in range(game.cells))


def from_text(game: Game, text: str) -> tuple[int, int]:
    """Read a position: its circle mask and its cross mask.

    Raises BoardError when the text has another length or other letters, or when no game
    leads there: wrong numbers of marks, marks in the air, both sides with a line, or a
    move after the end. (With gravity a few boards pass that no order of moves reaches; the
    table of positions is the last word.)
    """
    if len(text) != game.cells or set(text) - {EMPTY, CIRCLE, CROSS}:
        raise BoardError(
            f"expected {game.cells} cells of '.ox' for {game.name}, got {len(text)}: {quote(text)}"
        )
    circle = sum(1 << cell for cell, mark in enumerate(text) if mark == CIRCLE)
    cross = sum(1 << cell for cell, mark in enumerate(text) if mark == CROSS)
    fault = _fault(game, circle, cross)
    if fault:
        raise BoardError(f"no game of {game.name} reaches {quote(text)}: {fault}")
    return circle, cross


def _fault(game: Game, circle: int, cross: int) -> str | None:
    """Say why no game leads to a position, or None when nothing speaks against it."""
    circles, crosses = circle.bit_count(), cross.bit_count()
    if circles - crosses not in (0, 1):
        return (
            f"it has {circles} o and {crosses} x, expected as many o as x, "
            "or one o more (circle begins)"
        )
    if game.gravity:
        below = (circle | cross) >> game.columns | ~(game.full >> game.columns)
        floating = (circle | cross) & ~below
        if floating:
            return f"nothing holds the mark on cell {next(bits(floating))}"
    if game.has_line(circle) and game.has_line(cross):
        return "both sides have a line"
    circle_was_last = circles > crosses
    waiting, last = (cross, circle) if circle_was_last else (circle, cross)
    if game.has_line(waiting):
        mark = CROSS if circle_was_last else CIRCLE
        return f"the game ended with the line of {mark}, before the last move"
    if game.has_line(last) and all(
        game.has_line(last & ~(1 << cell)) for cell in _removable(game, circle | cross, last)
    ):
        return "no single last move made its lines"
    return None


def _removable(game: Game, occupied: int, last: int) -> list[int]:
    """List the cells that the last mover may have filled last."""
    covered = occupied << game.columns if game.gravity else 0
    return list(bits(last & ~covered))


def _mark(circle: int, cross: int, cell: int) -> str:
    if circle >> cell & 1:
        return CIRCLE
    return CROSS if cross >> cell & 1 else EMPTY


def draw(game: Game, circle: int, cross: int) -> str:
    """Draw a position on several lines; an empty cell shows its number, which is the move.

    >>> print(draw(Game(3, 3, 3), 0b000_000_001, 0b000_000_100))
     o | 1 | x
    ---+---+---
     3 | 4 | 5
    ---+---+---
     6 | 7 | 8
    """
    width = len(str(game.cells - 1))
    marks = [_mark(circle, cross, cell) for cell in range(game.cells)]
    shown = [str(cell) if mark == EMPTY else mark for cell, mark in enumerate(marks)]
    rows = [
        "|".join(
            f" {text:>{width}} " for text in shown[y * game.columns : (y + 1) * game.columns]
        ).rstrip()
        for y in range(game.rows)
    ]
    rule = "\n" + "+".join(["-" * (width + 2)] * game.columns) + "\n"
    return rule.join(rows)
