"""The server on 127.0.0.1: the page, the API of its games, and the guard before both.

Scripts and styles come under their version, so that a browser keeps them. ``index.html`` names them
below a folder that is the hash of all files of the page. Modules import each other by relative
paths, so all come from that folder, and never from two versions. Without the folder the same files
are sent, for a browser that asks each time whether they have changed.

The guard serves people and programs on this machine, not foreign pages. A browser sends any
page's requests, also to 127.0.0.1. The Host header shows that a page of another site resolves its
name to this machine. The headers Origin and Sec-Fetch-Site show that a page of another site asks.
It gets nothing: even an answer that it cannot read would cost memory and time. A link of another
site still opens the page itself. Where an old browser sends neither header, it asks before it sends
JSON, and `api_routes.body_of` reads nothing else. A request that is cancelled because the server
ends gets an answer that says so.

Errors are JSON, also those of unreadable requests. A connection that sends no request is closed
after some seconds; when there are too many for the file descriptors, the longest silent one is
closed at once. A client that does not read its answer is cut off after some seconds.
"""

import asyncio
import hashlib
import re
import resource
import socket
import webbrowser
from asyncio import CancelledError
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache, partial
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any, TextIO
from urllib.parse import urlsplit

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from marubatsu.engine.rules.input_error import InputError, quote
from marubatsu.judge.agents.address import AddressedAI
from marubatsu.judge.agents.agent_settings import AgentSettings
from marubatsu.pipeline.support.errors import DataError, MarubatsuError, UsageError
from marubatsu.pipeline.support.json_text import to_json
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.web.api_routes import ApiRoutes, kept, refusal, version_of
from marubatsu.web.games import OpenGames, open_game
from marubatsu.web.site import MEDIA, files

_ALWAYS = [
    (
        b"content-security-policy",
        (
            b"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
            b"frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]

HEADERS = [*_ALWAYS, (b"cross-origin-resource-policy", b"same-origin")]
"""Headers that every answer carries; one with `SHARED` lacks the last."""

SHARED = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-methods", b"GET"),
    (b"access-control-allow-headers", b"if-none-match, range"),
    (b"access-control-expose-headers", b"etag, content-range, accept-ranges"),
]
"""Headers with which pages of other sites may read an answer."""

_SAFE = {"GET", "HEAD"}


class Guard:
    """Middleware: it refuses requests, passes on the rest, and adds headers for privacy."""

    def __init__(self, app: ASGIApp, *, is_shared: bool = False) -> None:
        """Wrap an application; ``is_shared``: pages of other sites may read its API."""
        self._app, self._is_shared = app, is_shared

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        is_shared = self._is_shared and scope["path"].startswith("/api/")
        is_asked = is_shared and scope["method"] == "OPTIONS"  # whether GET is allowed
        headers = [*_ALWAYS, *SHARED] if is_shared and scope["method"] != "POST" else HEADERS

        is_begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal is_begun
            if message["type"] == "http.response.start":
                is_begun = True
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        is_open = is_shared and (is_asked or scope["method"] in _SAFE)
        objection = _objection(scope["path"], Headers(scope=scope), is_open=is_open)
        answer = self._app if objection is None else refusal(403, objection)
        if is_asked and objection is None:
            answer = Response(status_code=204)
        try:
            await answer(scope, receive, send_guarded)
        except CancelledError:
            if not is_begun:
                await refusal(503, "the server was ended")(scope, receive, send_guarded)


def _objection(path: str, headers: Headers, *, is_open: bool) -> str | None:
    """Say why a request is refused, or return None; ``is_open``: pages of other sites may ask."""
    host = headers.get("host", "")
    if not is_local(host):
        return f"this server answers requests to 127.0.0.1 only, not to {quote(host)}"
    if is_open:
        return None
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2] != host:
        return (
            f"this server does not answer pages of {quote(origin)}: the option cors opens its API"
        )
    if headers.get("sec-fetch-site", "none") in ("same-origin", "none"):
        return None
    is_link = headers.get("sec-fetch-mode") == "navigate" and not path.startswith("/api/")
    if is_link and headers.get("sec-fetch-dest") == "document":
        return None
    return "this server does not answer pages of other sites: the option cors opens its API"


def is_local(host: str) -> bool:
    """Return whether a Host header names this machine itself."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


_FRONT = "index.html"
_KEPT = (".js", ".css")
_NAMED = re.compile(rb'(?<==")[\w/-]+\.(?:js|css)(?=")')
_FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable"}


async def _answer_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        sentence = f"{request.method} is not possible here: GET /api/v2/openapi.json lists what is"
        return refusal(405, sentence, error.headers)
    is_unknown = error.detail == HTTPStatus.NOT_FOUND.phrase  # No route has said more.
    if is_unknown:
        return _no_page(request.url.path)
    return refusal(error.status_code, error.detail)


def _no_page(name: str) -> Response:
    sentence = (
        f"there is no page {quote(name)}: / is the page, and /api/v2/openapi.json lists its API"
    )
    return refusal(404, sentence)


async def _answer_error(status: int, request: Request, error: Exception) -> Response:
    return refusal(status, str(error))


async def _answer_defect(request: Request, error: Exception) -> Response:
    return refusal(500, f"internal server error ({type(error).__name__})")


@contextmanager
def open_app(
    data_set: DataSet,
    ais: Sequence[AddressedAI] = (),
    settings: AgentSettings | None = None,
    *,
    is_shared: bool = False,
) -> Iterator[ASGIApp]:
    """Return the server that starts with one game.

    The game has its own AIs and some others; foreign ones run within limits. ``is_shared``: pages
    of other sites may read the API. Raises as `open_game` does.
    """
    with open_game(data_set, ais, settings) as first:
        games = OpenGames(first, data_set)
        page = Route("/{name:path}", page_file, methods=["GET"])
        app = Starlette(
            routes=[*ApiRoutes(games).routes(), page],
            middleware=[Middleware(GZipMiddleware, minimum_size=1_000)],
            exception_handlers={
                HTTPException: _answer_http,
                InputError: partial(_answer_error, 404),
                UsageError: partial(_answer_error, 404),
                MarubatsuError: partial(_answer_error, 503),
                Exception: _answer_defect,
            },
        )
        try:
            # The guard is outside of all else, so that every answer has its headers.
            yield Guard(app, is_shared=is_shared)
        finally:
            games.close()


async def page_file(request: Request) -> Response:
    """Answer a request for a file of the page; that of the folder itself is for the front."""
    name, version = request.path_params["name"] or _FRONT, _version()
    below = name.removeprefix(f"{version}/")
    is_kept = below != name and below.endswith(_KEPT)
    path = files().get(below if is_kept else name)
    if path is None:
        return _no_page(name)
    content, media_type = path.read_bytes(), MEDIA[path.suffix]
    if is_kept:
        return Response(content, media_type=media_type, headers=_FOR_GOOD)
    if name == _FRONT:
        content = _NAMED.sub(version.encode() + rb"/\g<0>", content)
    return kept(request, content, version_of(content), media_type)


def _version() -> str:
    """Return the version of the page, also after a file of it was edited."""
    stats = [path.stat() for path in files().values()]
    return _hash(tuple((stat.st_mtime_ns, stat.st_size) for stat in stats))


@lru_cache(maxsize=1)
def _hash(stats: tuple[tuple[int, int], ...]) -> str:
    """Hash all files; ``stats`` show whether one has changed since the last time."""
    digest = hashlib.sha256()
    for name, path in files().items():
        digest.update(f"{name}\n{version_of(path.read_bytes())}\n".encode())
    return digest.hexdigest()[:32]


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
        """Cut off clients that do not read, and notify those that wait for an answer."""
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
