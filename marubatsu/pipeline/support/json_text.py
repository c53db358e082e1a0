"""JSON as text that controls no terminal, and JSON of users."""

import json
import re
from math import isfinite

from marubatsu.engine.rules.input_error import quote


def json_text(content: object, *, is_ascii: bool = True, indent: int | None = None) -> str:
    r"""Write a value as JSON; NaN and infinity, which JSON lacks, become null.

    Characters that are not printable are escaped, also when others than ASCII are not: control
    characters, marks that turn the direction of a line, half a surrogate pair. It is the same
    value.

    >>> print(json_text({"é": chr(0x9B) + "2J", "n": float("nan")}, is_ascii=False))
    {"é": "\u009b2J", "n": null}
    """
    text = json.dumps(
        _finite(content), ensure_ascii=is_ascii, indent=indent, default=str, allow_nan=False
    )
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    """Return the escape sequence of a character, or two of them, as JSON has 16 bits for each."""
    units = character.encode("utf-16-be", errors="surrogatepass").hex()
    return re.sub("....", r"\\u\g<0>", units)


def _finite(value: object) -> object:
    match value:
        case float():
            return value if isfinite(value) else None
        case dict():
            return {str(key): _finite(item) for key, item in value.items()}
        case list() | tuple():
            return [_finite(item) for item in value]
        case _:
            return value


class RepeatedKeyError(Exception):
    """An object has a key twice, so it could mean either value."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {quote(key)} is there twice: expected it once")


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object. Raises RepeatedKeyError."""
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        raise RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return values


DECODER = json.JSONDecoder(object_pairs_hook=_without_repetition)
"""Reads JSON of users. Raises RepeatedKeyError, and what other decoders raise."""
