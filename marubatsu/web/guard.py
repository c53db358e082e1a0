"""The guard of the server: it serves people and programs on this machine, not foreign pages.

A browser sends any page's requests, also to 127.0.0.1. The Host header shows that a page of another
site resolves its name to this machine. The headers Origin and Sec-Fetch-Site show that a page of
another site asks. It gets nothing: even an answer that it cannot read would cost memory and time. A
link of another site still opens the page itself. Where an old browser sends neither header, it asks
before it sends JSON, and `exchange.body_of` reads nothing else.

A request that is cancelled because the server ends is told so.
"""

from asyncio import CancelledError
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from marubatsu.web.exchange import refusal

HEADERS = [
    (
        b"content-security-policy",
        (
            b"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
            b"frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
"""Headers that every answer carries."""

SHARED = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-methods", b"GET"),
    (b"access-control-allow-headers", b"if-none-match, range"),
    (b"access-control-expose-headers", b"etag, content-range, accept-ranges"),
]
"""Headers with which pages of other sites may read an answer."""

_READING = {"GET", "HEAD"}


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
        headers = [*HEADERS[:-1], *SHARED] if is_shared and scope["method"] != "POST" else HEADERS

        is_begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal is_begun
            if message["type"] == "http.response.start":
                is_begun = True
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        is_open = is_shared and (is_asked or scope["method"] in _READING)
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
        return f"this server answers requests to 127.0.0.1 only, not to {host!r}"
    if is_open:
        return None
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2] != host:
        return f"this server does not answer pages of {origin!r}: the option cors opens its API"
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
