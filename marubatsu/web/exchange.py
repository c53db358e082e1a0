"""One request and its answer: bodies, JSON, parts of files, and clients that leave.

An error is one sentence in JSON.
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from threading import Event
from typing import TypeVar

from anyio import CapacityLimiter, create_task_group, fail_after, sleep, to_thread
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse

from marubatsu.pipeline.support.errors import harmless
from marubatsu.pipeline.support.json_text import to_json
from marubatsu.pipeline.tables.open_file import OpenFile

JSON = "application/json"


def refusal(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error, with optional headers."""
    return Response(to_json({"error": harmless(sentence)}), status, headers, JSON)


def kept(request: Request, body: bytes, version: str, media_type: str = JSON) -> Response:
    """Return the answer for one version of the data, or 304 for a client that has it.

    The tag is weak, because the same answer is sent compressed and not.
    """
    tag = f'W/"{version}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if is_there(request, version):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def fresh(body: bytes) -> Response:
    """Return an answer that clients must not keep, because the next one may differ."""
    return Response(body, headers={"Cache-Control": "no-store"}, media_type=JSON)


def version_of(content: bytes) -> str:
    """Return the version of something that has no other than its bytes."""
    return hashlib.sha256(content).hexdigest()[:32]


def is_there(request: Request, version: str) -> bool:
    """Whether the client says that it has this version."""
    tags = request.headers.get("if-none-match", "").split(",")
    return any(tag.strip().removeprefix("W/") in (f'"{version}"', "*") for tag in tags)


_CHUNK = 1 << 18
_MEDIA = "application/vnd.apache.parquet"
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def answer_with(request: Request, file: OpenFile) -> Response:
    """Return a file, or the one part of it that the header Range asks for.

    A list of parts is answered with the whole file, as HTTP allows. Raises DamagedError when the
    file was changed since it was opened.
    """
    file.require_unchanged()
    headers = {
        "ETag": f'"{file.sha256[:32]}"',
        "Cache-Control": "no-cache",
        "Accept-Ranges": "bytes",
        "Content-Encoding": "identity",  # Parquet is compressed, and a part must stay as it is.
    }
    if is_there(request, file.sha256[:32]):
        return Response(status_code=304, headers=headers)
    wanted = request.headers.get("range", "")
    if request.headers.get("if-range", headers["ETag"]) != headers["ETag"]:
        wanted = ""
    match = _RANGE.fullmatch(wanted.strip())
    if match is None or match.groups() == ("", ""):
        return _sent(request, file, range(file.size), 200, headers)
    first, last = match.groups()
    if first:
        part = range(int(first), min(file.size, int(last) + 1) if last else file.size)
    else:
        part = range(max(0, file.size - int(last)), file.size)
    if not part:
        text = f"the file has {file.size:,} bytes: expected a range of bytes inside it"
        return refusal(416, text, {"Content-Range": f"bytes */{file.size}"})
    headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{file.size}"
    return _sent(request, file, part, 206, headers)


def _sent(
    request: Request, file: OpenFile, part: range, status: int, headers: dict[str, str]
) -> Response:
    headers = {**headers, "Content-Length": str(len(part))}
    if request.method == "HEAD":
        return Response(None, status, headers, _MEDIA)
    return StreamingResponse(_bytes(file, part), status, headers, _MEDIA)


def _bytes(file: OpenFile, part: range) -> Iterator[bytes]:
    """Read a part; one that changes meanwhile ends the connection before its end."""
    for start in part[::_CHUNK]:
        chunk = os.pread(file.handle, min(_CHUNK, part.stop - start), start)
        file.require_unchanged()
        yield chunk


_SENDING = 10.0  # seconds for a request to arrive
_WATCHING = 0.1  # seconds between checks whether the client is still connected
_Found = TypeVar("_Found")


async def body_of(request: Request, most: int) -> bytes:
    """Read a body of the type JSON, which no page of another site can send without asking.

    Raises HTTPException for another type, and when the body is too long, too slow or cut off.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "expected a body of the type application/json")
    body = b""
    try:
        with fail_after(_SENDING):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise HTTPException(413, f"expected a body of at most {most:,} bytes")
    except TimeoutError:
        raise HTTPException(408, f"expected the whole body within {_SENDING:g} s") from None
    except ClientDisconnect:
        raise HTTPException(400, "the body was cut off") from None
    return body


async def while_connected(
    request: Request, work: Callable[[Event], _Found], limiter: CapacityLimiter
) -> _Found:
    """Work in a thread, and set the event when the result is not wanted any more.

    The client has gone, or the server ends. Raises what the work raises.
    """
    gone = Event()
    failed: Exception | None = None

    async def watch() -> None:
        while not await request.is_disconnected():  # noqa: ASYNC110, no event tells
            await sleep(_WATCHING)
        gone.set()

    async with create_task_group() as group:
        group.start_soon(watch)
        try:
            return await to_thread.run_sync(partial(work, gone), limiter=limiter)
        except Exception as error:  # noqa: BLE001, it is raised again outside of the task group
            failed = error
        finally:
            gone.set()
            group.cancel_scope.cancel()
    assert failed
    raise failed
