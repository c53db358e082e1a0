"""A board among other text: a label, who moves next, the colours of a terminal.

What surrounds a board may change its meaning, so it is not read. The error shows the board alone.
"""

import re
from collections.abc import Iterator

_COLOUR = re.compile("\x1b\\[[0-9;]*m")
_LABEL = re.compile(r"\s*<?[\w .-]{1,40}[:= ]\s*")
_FIELD = re.compile(
    r"""\bboard["']?\s*[:=]\s*(\[(?:[^\[\]]|\[[^\[\]]*\])*\]|"[^"]*"|'[^']*')""", re.IGNORECASE
)


def boards_within(text: str) -> list[str]:
    """Return the parts of a text that may be a board, without what surrounds it.

    >>> boards_within("board: ox......."), boards_within("ox1/3/3 x"), boards_within("o.x......")
    (['ox.......', 'board:'], ['ox1/3/3'], [])
    """
    return [part for part in _parts(text) if part.split() != text.split()]


def _parts(text: str) -> Iterator[str]:
    """Yield the text without colours, then what is behind a label, and the lines or the word."""
    plain = _COLOUR.sub("", text)
    yield plain
    if field := _FIELD.search(plain):
        yield field[1]
    if label := _LABEL.match(plain):
        yield plain[label.end() :].rstrip(" >")
    lines = plain.strip("\n").split("\n")
    if len(lines) > 1:
        yield "\n".join(lines[1:])
        yield "\n".join(lines[:-1])
    elif words := plain.split():
        yield words[0]
