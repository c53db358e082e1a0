"""JSON as text that controls no terminal; JSON and text in UTF-8 from bytes that a user gives."""

import json
import re
from contextlib import nullcontext
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO

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


def to_json(content: object) -> bytes:
    """Write a document of JSON in UTF-8; see `json_text`."""
    return json_text(content, is_ascii=False).encode()


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
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        raise RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return values


DECODER = json.JSONDecoder(object_pairs_hook=_without_repetition)
"""Reads JSON of users. Raises RepeatedKeyError, and what other decoders raise."""


def read_json(text: str | bytes) -> Any:
    """Return the value of a text of JSON; None for any other text, and for a key that is twice."""
    try:
        return json.loads(text, object_pairs_hook=_without_repetition)
    except (ValueError, RecursionError, RepeatedKeyError):
        return None


_BEGINNINGS = (
    (b"\xff\xfe", "it is UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "it is UTF-16: save it as UTF-8"),
    (b"\x1f\x8b", "it is compressed by gzip: unpack it first"),
    (b"BZh91AY&SY", "it is compressed by bzip2: unpack it first"),
    (b"\xfd7zXZ\x00", "it is compressed by xz: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "it is compressed by zstd: unpack it first"),
    (b"PK\x03\x04", "it is a ZIP archive or a workbook: unpack it, or save it as CSV"),
    (b"PAR1", "it is Parquet: write it as CSV or JSON lines first"),
)
_BEGINNING = 1_000  # bytes


class NoTextError(ValueError):
    """What cannot be read, or is no text in UTF-8; the message says why, or what to do."""


def bytes_of(source: Path | BinaryIO, most: int) -> bytes:
    """Return the content of a file or a stream. Raises NoTextError, also for more bytes."""
    try:
        with source.open("rb") if isinstance(source, Path) else nullcontext(source) as opened:
            content = opened.read(most + 1)
    except (OSError, ValueError) as error:
        raise NoTextError(getattr(error, "strerror", None) or error) from None
    if len(content) > most:
        raise NoTextError(f"it holds more than {most:,} bytes: expected fewer")
    return content


def require_text(data: bytes) -> None:
    """Raise NoTextError for what begins as UTF-16, as a compressed or as another binary file.

    >>> require_text("4 0".encode("utf-16"))
    Traceback (most recent call last):
    marubatsu.pipeline.support.json_text.NoTextError: it is UTF-16: save it as UTF-8
    """
    for first, why in _BEGINNINGS:
        if data.startswith(first):
            raise NoTextError(why)
    beginning = data[:_BEGINNING]
    if beginning.count(0) * 4 > len(beginning):
        raise NoTextError("it holds zero bytes, as UTF-16 and binary files do: save it as UTF-8")


def text_of(data: bytes) -> str:
    r"""Return the text of bytes, without a byte order mark. Raises NoTextError.

    >>> text_of(b"\xef\xbb\xbf4 0")
    '4 0'
    """
    require_text(data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NoTextError(f"byte {error.start} is no UTF-8: save it as UTF-8") from None
