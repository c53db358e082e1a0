"""Positions that users of the command line give: boards, on which any side may begin, or moves."""

from typing import TYPE_CHECKING

from marubatsu.cli.options.shared import DEFAULT_FIRST
from marubatsu.pipeline.support.events import note

if TYPE_CHECKING:
    from marubatsu.engine.rules.game import Game
    from marubatsu.engine.rules.numbering import Numbering
    from marubatsu.engine.rules.position import Position


def given_position(
    game: "Game", board: str | None, first: str, numbering: str | None
) -> "Position":
    """Read a position, by default the empty board, and note which of its marks is circle.

    Raises BoardError and InputError.
    """
    from marubatsu.engine.notations.reading import read_position
    from marubatsu.engine.rules.position import EMPTY

    if board is None:
        return EMPTY
    position = read_position(game, board, first=first, numbering=numbering)
    note_first(first)
    return position


def given_numbering(game: "Game", name: str | None) -> "Numbering | None":
    """Return a numbering of a game by its name. Raises InputError."""
    from marubatsu.engine.rules.numbering import numbering_of, require_fit

    if name is None:
        return None
    numbering = numbering_of(name)
    require_fit(game, numbering)
    return numbering


def note_first(first: str) -> None:
    """Note which mark of given boards is circle, where it is not ``o``."""
    from marubatsu.engine.notations.signs import first_mark

    begins = first_mark(first)
    if begins != DEFAULT_FIRST:
        note(
            "first",
            f"{begins} begins on your boards: it is o, circle, in what follows",
            first=begins,
        )
