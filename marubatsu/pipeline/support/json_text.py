"""JSON as text that controls no terminal."""

import json
import re
from math import isfinite


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
