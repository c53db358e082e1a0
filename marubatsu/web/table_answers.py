"""The Parquet files of a game, whole or in part, as readers ask for them over HTTP."""

import os
import re
from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from marubatsu.pipeline.store.open_file import OpenFile
from marubatsu.web.responses import refusal

_CHUNK = 1 << 18
_MEDIA = "application/vnd.apache.parquet"
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def answer_with(request: Request, held: OpenFile) -> Response:
    """Return a file, or the one part of it that the header Range asks for.

    A list of parts is answered with the whole file, as HTTP allows. Raises DamagedError when the
    file was changed since it was opened.
    """
    held.require_unchanged()
    headers = {
        "ETag": f'"{held.sha256[:32]}"',
        "Cache-Control": "no-cache",
        "Accept-Ranges": "bytes",
        "Content-Encoding": "identity",  # Parquet is compressed, and a part must stay as it is.
    }
    tags = request.headers.get("if-none-match", "").split(",")
    if headers["ETag"] in (tag.strip() for tag in tags):
        return Response(status_code=304, headers=headers)
    wanted = request.headers.get("range", "")
    if request.headers.get("if-range", headers["ETag"]) != headers["ETag"]:
        wanted = ""
    match = _RANGE.fullmatch(wanted.strip())
    if match is None or match.groups() == ("", ""):
        return _sent(request, held, range(held.size), 200, headers)
    part = _part(match[1], match[2], held.size)
    if not part:
        text = f"the file has {held.size:,} bytes: expected a range of bytes inside it"
        return refusal(416, text, {"Content-Range": f"bytes */{held.size}"})
    headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{held.size}"
    return _sent(request, held, part, 206, headers)


def _part(first: str, last: str, size: int) -> range:
    """Return the bytes that a range names: from the start, or the last ones."""
    if not first:
        return range(max(0, size - int(last)), size)
    stop = min(size, int(last) + 1) if last else size
    return range(int(first), stop)


def _sent(
    request: Request, held: OpenFile, part: range, status: int, headers: dict[str, str]
) -> Response:
    headers = {**headers, "Content-Length": str(len(part))}
    if request.method == "HEAD":
        return Response(None, status, headers, _MEDIA)
    return StreamingResponse(_bytes(held, part), status, headers, _MEDIA)


def _bytes(held: OpenFile, part: range) -> Iterator[bytes]:
    """Read a part; one that changes meanwhile ends the connection before its end."""
    for start in part[::_CHUNK]:
        chunk = os.pread(held.handle, min(_CHUNK, part.stop - start), start)
        held.require_unchanged()
        yield chunk
