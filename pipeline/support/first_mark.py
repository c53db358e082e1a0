"""The mark of the side that begins on a user's boards: ``o``, as everywhere here, or ``x``."""

from marubatsu.engine.rules.board_text import MARKS
from marubatsu.pipeline.support.errors import OptionError

FIRST = MARKS[0]
"""The default of the option ``first``."""


def is_exchanged(first: object) -> bool:
    """Return whether ``o`` and ``x`` are exchanged: whether ``x`` begins.

    Raises OptionError for anything but ``o`` and ``x``, in either case.

    >>> is_exchanged("x"), is_exchanged("O")
    (True, False)
    """
    if isinstance(first, str) and first.lower() in tuple(MARKS):
        return first.lower() != FIRST
    raise OptionError("first", first, "expected o or x, the mark of the side that begins")
