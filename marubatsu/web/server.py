"""The server on 127.0.0.1: it reads HTTP from many connections, until a signal ends it.

Errors are JSON, also those of unreadable requests. A connection that sends no request is closed
after some seconds; when there are too many for the file descriptors, the longest silent one is
closed at once. A client that does not read its answer is cut off after some seconds.
"""

import asyncio
import resource
import socket
import webbrowser
from contextlib import closing
from typing import Any, TextIO

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.json_text import to_json
from marubatsu.web.app import HEADERS

_UNREADABLE = (
    "this request is not HTTP that can be read: expected a method, a path and a version, headers "
    "of printable characters, and the length of the body"
)
_FILES = min(resource.getrlimit(resource.RLIMIT_NOFILE)[0] % (1 << 63), 1 << 12)
_MOST = _FILES // 4
BACKLOG = _FILES // 16  # connections accepted at one time; the others wait in the kernel
_READING = 30.0  # seconds in which a client must read an answer that waits for it
_ENDING = 1.0  # seconds in which requests may still be answered after a signal


class Protocol(H11Protocol):
    """The parser of the requests of one connection."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.heard = self.loop.time()
        self._cut: asyncio.TimerHandle | None = None

    @property
    def is_silent(self) -> bool:
        """Whether no request is being answered."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    @property
    def is_waiting(self) -> bool:
        """Whether a request is being answered, and nothing of its answer is sent."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_started

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


class _Server(uvicorn.Server):
    """Cancels requests that outlast its end; under uvicorn's own limit they print errors."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        ending = asyncio.get_running_loop().call_later(_ENDING, self._cut)
        await super().shutdown(sockets)
        ending.cancel()

    def _cut(self) -> None:
        """Cut off clients that do not read, and tell those that wait for an answer."""
        for each in list(self.server_state.connections):
            if isinstance(each, Protocol) and not each.is_waiting:
                each.transport.abort()
        asyncio.get_running_loop().call_soon(self._cancel)  # It is after they are cut off.

    def _cancel(self) -> None:
        for task in self.server_state.tasks:
            task.cancel()


_HOST = "127.0.0.1"
_SILENCE = 5  # seconds until a connection without a request is closed
_WAITING = 1024  # connections, until the server is ready


def listening(port: int) -> socket.socket:
    """Listen on a port of this machine. Raises DataError when it is taken.

    asyncio sends answers without delay only on sockets that name TCP. Elsewhere the second part of
    an answer waits about 40 ms until the client has acknowledged the first.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_HOST, port))
        listener.listen(_WAITING)
    except OSError as error:
        listener.close()
        raise DataError(
            f"cannot listen on {_HOST}:{port}: {error.strerror}; --port 0 takes any free one"
        ) from None
    return listener


def serve(app: ASGIApp, game: str, port: int, *, opens_browser: bool, out: TextIO) -> None:
    """Serve until Ctrl-C or SIGTERM. Raises DataError when the port is taken."""
    with closing(listening(port)) as listener:
        address = f"http://{_HOST}:{listener.getsockname()[1]}/"
        out.write(f"{game} is shown at {address} (Ctrl-C ends it)\n")
        out.flush()
        config = uvicorn.Config(
            app, http=Protocol, log_level="error", access_log=False, lifespan="off",
            server_header=False, backlog=BACKLOG, timeout_keep_alive=_SILENCE,
        )  # fmt: skip
        if opens_browser:
            webbrowser.open(address)
        _Server(config).run(sockets=[listener])
