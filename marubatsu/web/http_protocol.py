"""HTTP for the server: errors in JSON, and no more connections than there are file descriptors.

An unreadable request gets an error like every other error. A connection that sends no request is
closed after some seconds, and at once, the longest silent first, when there are too many. A client
that does not read its answer is cut off after some seconds.
"""

import asyncio
import resource
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from marubatsu.web.guard import HEADERS
from marubatsu.web.responses import to_json

_UNREADABLE = (
    "this request is not HTTP that can be read: expected a method, a path and a version, headers "
    "of printable characters, and the length of the body"
)
_FILES = min(resource.getrlimit(resource.RLIMIT_NOFILE)[0] % (1 << 63), 1 << 12)
_MOST = _FILES // 4
BACKLOG = _FILES // 16
"""Connections that are accepted at one time; the others wait in the kernel."""
_READING = 30.0
"""Seconds in which a client must read an answer that waits for it."""


class Protocol(H11Protocol):
    """The parser of the requests of one connection."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Start with no request."""
        super().__init__(*args, **options)
        self.heard = self.loop.time()
        self._cut: asyncio.TimerHandle | None = None

    @property
    def is_silent(self) -> bool:
        """Whether no request is being answered."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, and close a silent connection when there are too many."""
        super().connection_made(transport)
        self._wait()
        protocols = (each for each in self.connections if isinstance(each, Protocol))
        open_ = [each for each in protocols if not each.transport.is_closing()]
        if len(open_) > _MOST:
            silent = [each for each in open_ if each.is_silent]
            if silent:
                min(silent, key=lambda each: each.heard).timeout_keep_alive_handler()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        self.heard = self.loop.time()
        super().data_received(data)
        if self.is_silent and self.timeout_keep_alive_task is None:
            self._wait()

    def _wait(self) -> None:
        """Close the connection unless a request arrives in time."""
        self.timeout_keep_alive_task = self.loop.call_later(
            self.timeout_keep_alive, self.timeout_keep_alive_handler
        )

    def pause_writing(self) -> None:
        """Cut the client off unless it reads in time."""
        super().pause_writing()
        self._cut = self.loop.call_later(_READING, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on writing; what is left of the last answer must still be read in time."""
        super().resume_writing()
        if self._cut and not self.transport.is_closing():
            self._cut.cancel()

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection, at the latest when its client should have read everything."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(_READING, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        """Answer that a request cannot be read, and close; the exact fault is unknown."""
        body = to_json({"error": _UNREADABLE})
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
            *HEADERS,
        ]
        response = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (response, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
