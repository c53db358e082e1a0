"""The options that say how a user's boards are written, and the position that they give."""

from typing import TYPE_CHECKING, Annotated

from marubatsu.cli.options import option
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.support import events

if TYPE_CHECKING:
    from marubatsu.engine.rules.position import Position

DEFAULT_FIRST = "o"

FirstOption = Annotated[
    str,
    option(
        "o|x",
        "The mark of the side that begins, on your boards and for your AIs: o, or x as in CS50, "
        "UCI and OpenSpiel.",
    ),
]
NumberingOption = Annotated[
    str | None,
    option(
        "NAME",
        "Which numbering moves have: cells, cells-from-1, cells-by-column, columns, row-column "
        "and others; docs/numberings.md draws them.",
    ),
]


def position_of(game: "Game", board: str | None, first: str, numbering: str | None) -> "Position":
    """Read a position, by default the empty board, and note which of its marks is circle.

    Raises BoardError and InputError.
    """
    from marubatsu.engine.notations.reading import read_position
    from marubatsu.engine.rules.board_text import to_text
    from marubatsu.engine.rules.position import EMPTY

    if board is None:
        board = to_text(game, EMPTY)
    position = read_position(game, board, first=first, numbering=numbering)
    note_first(first)
    return position


def note_first(first: str) -> None:
    """Note which mark of the user's boards is circle, where it is not ``o``."""
    from marubatsu.engine.notations.signs import first_mark

    mark = first_mark(first)
    if mark != DEFAULT_FIRST:
        message = f"{mark} begins on your boards: it is o, circle, in what follows"
        events.note("first", message, first=mark)
