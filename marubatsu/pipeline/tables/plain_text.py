"""Text in UTF-8 from bytes that a user gives; other encodings and binary files are named."""

_BEGINNINGS = (
    (b"\xff\xfe", "it is UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "it is UTF-16: save it as UTF-8"),
    (b"\x1f\x8b", "it is compressed by gzip: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "it is compressed by zstd: unpack it first"),
    (b"PK\x03\x04", "it is a ZIP archive or a workbook: unpack it, or save it as CSV"),
    (b"PAR1", "it is Parquet: write it as CSV or JSON lines first"),
)
_BEGINNING = 1_000  # bytes


class NoTextError(ValueError):
    """Bytes that are no text in UTF-8; the message says what they are, and what to do."""


def require_text(data: bytes) -> None:
    """Raise NoTextError for what begins as UTF-16, as a compressed or as another binary file.

    >>> require_text("4 0".encode("utf-16"))
    Traceback (most recent call last):
    marubatsu.pipeline.tables.plain_text.NoTextError: it is UTF-16: save it as UTF-8
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
