"""Hostile requests: each gets one right answer or one sentence, and the server goes on."""

import gzip
import json
import socket
from contextlib import suppress
from functools import partial
from http.client import HTTPResponse
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.parse import urlsplit

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.web.app import open_app
from marubatsu.web.guard import HEADERS, is_local
from tests.attacks import requests
from tests.attacks.tally import ATTEMPTS, Refused, Tally, some
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import SMALLEST, build_smallest
from tests.helpers.data.shared import Shared
from tests.helpers.processes.commands import PATIENCE
from tests.helpers.processes.in_process import serving_app

HERE = "http://127.0.0.1/"
KNOWN = (
    b"GET /api/v2/games/2x2k2/positions/o... HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Connection: close\r\n\r\n"
)
STATUSES = {200, 206, 304, 307, 400, 403, 404, 405, 408, 413, 415, 416, 426}


class Answer(NamedTuple):
    """What comes back."""

    status: int
    headers: dict[str, str]
    body: bytes


def asked(port: int, request: bytes, method: str = "GET") -> Answer | None:
    """Send a request; return the answer, or None when the server just closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        with suppress(OSError):  # It may be refused before its end.
            connection.sendall(request)
        response = HTTPResponse(connection, method=method)
        try:
            response.begin()
            body = response.read()
        except ConnectionResetError:  # also when it just ends
            return None
        return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, body)


class Request(NamedTuple):
    """The parts of a request; by default an ordinary one."""

    method: str = "GET"
    path: str = "/api/v2/games/2x2k2/positions/o..."
    host: str = "127.0.0.1"
    headers: tuple[str, ...] = ()
    body: str = ""

    def to_bytes(self) -> bytes:
        """Write the request, with one byte for each character of Latin 1, and UTF-8 beyond."""
        lines = [f"{self.method} {self.path} HTTP/1.1", f"Host: {self.host}", *self.headers]
        body = encoded(self.body)
        if self.body and not any(line.startswith("Content-Type") for line in self.headers):
            lines.append("Content-Type: application/json")
        lines += [f"Content-Length: {len(body)}"] * bool(body) + ["Connection: close", "", ""]
        return encoded("\r\n".join(lines)) + body


def encoded(text: str) -> bytes:
    return b"".join(each.encode("latin-1" if each < "\u0100" else "utf-8") for each in text)


KINDS = {
    "method": [Request(each) for each in requests.METHODS],
    "path": [Request(path=each) for each in requests.PATHS],
    "host": [Request(host=each) for each in requests.HOSTS],
    "header": [Request(headers=(each,)) for each in requests.HEADERS],
    "body": [
        Request("POST", f"/api/v2/games/2x2k2/{path}", body=each)
        for path, bodies in (
            ("sql", (*requests.BODIES, *requests.QUERIES)),
            ("positions", (*requests.BODIES, *requests.BOARDS)),
        )
        for each in bodies
    ],
}
"""Requests of which one part is odd."""


def mixed(random: Random) -> Request:
    """Return a request of which several parts may be odd."""

    def part(ordinary: str, odd: tuple[str, ...]) -> str:
        return random.choice(odd) if random.random() < 0.2 else ordinary

    return Request(
        part("GET", requests.METHODS),
        part("/api/v2/games/2x2k2/positions/o...", requests.PATHS),
        part("127.0.0.1", requests.HOSTS),
        tuple(random.choices(requests.HEADERS, k=random.randrange(4))),
        part("", requests.BODIES),
    )


def answer(port: int, data: Path, request: Request) -> str:
    """Ask; return what is wrong with the answer. Raises Refused when there is a sentence."""
    found = asked(port, request.to_bytes(), request.method)
    if found is None:
        return "the connection was closed"
    status, headers, body = found
    wrong = [f"status {status}"] * (status not in STATUSES)
    wrong += [
        f"no {name.decode()}"
        for name, value in HEADERS
        if headers.get(name.decode()) != value.decode()
    ]
    wrong += ["it leads elsewhere"] * (not is_local(urlsplit(headers.get("location", HERE)).netloc))
    if headers.get("content-encoding") == "gzip":
        body = gzip.decompress(body)
    told = json.loads(body) if body and headers["content-type"] == "application/json" else {}
    if body and status >= 400:
        wrong += ["no sentence"] * (list(told) != ["error"] or not told["error"].isprintable())
    wrong += [
        f"it tells {each}" for each in (data, CHECKOUT, "root:x:") if str(each).encode() in body
    ]
    if wrong:
        return f"{wrong} {body[:200]!r}"
    if status >= 400:
        raise Refused(body.decode() or f"status {status}")
    return ""


def test_hostile_requests_get_one_right_answer_each(shared: Shared) -> None:
    data = build_smallest(shared)
    random = Random("requests")
    with open_app(DataSet(data, Game(SMALLEST)), lambda: None) as app, serving_app(app) as port:
        right = asked(port, KNOWN)
        assert right is not None
        assert json.loads(right.body)["score"] == 1
        for kind, odd in KINDS.items():
            tally = Tally(f"HTTP, one odd {kind}")
            for request in some(odd):
                tally.add(str(request)[:300], partial(answer, port, data, request), "")
            assert asked(port, KNOWN) == right
            tally.report()
        tally = Tally("HTTP, several odd parts")
        for _ in range(ATTEMPTS):
            request = mixed(random)
            tally.add(str(request)[:300], partial(answer, port, data, request), "")
            assert asked(port, KNOWN) == right
        tally.report()
