"""Waiting for a client: for the body of its request, and for work as long as it stays."""

from collections.abc import Callable
from functools import partial
from threading import Event
from typing import TypeVar

from anyio import CapacityLimiter, create_task_group, fail_after, sleep, to_thread
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

_SENDING = 10.0  # seconds for a request to arrive
_WATCHING = 0.1  # seconds between checks whether the client is still connected
_Found = TypeVar("_Found")


async def body_of(request: Request, most: int) -> bytes:
    """Read a body of the type JSON, which no page of another site can send without asking.

    Raises HTTPException for another type, and when the body is too long, too slow or cut off.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
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
    """Work in a thread, and set the event when the client has gone. Raises what the work raises."""
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
            group.cancel_scope.cancel()
    assert failed
    raise failed
