"""Hostile requests: each gets one right answer or one sentence, and the server goes on."""

import gzip
import json
import socket
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from http.client import HTTPResponse
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.web.app import HEADERS, is_local, open_app
from tests.attacks import requests
from tests.attacks.tally import ATTEMPTS, Refused, Tally, some
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import SMALLEST, build_smallest
from tests.helpers.data.shared import Shared
from tests.helpers.processes.commands import PATIENCE
from tests.helpers.processes.in_process import Reply, serving_app

HERE = "http://127.0.0.1/"
KNOWN = (
    b"GET /api/v2/games/2x2k2/positions/o... HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Connection: close\r\n\r\n"
)
STATUSES = {200, 206, 304, 307, 400, 403, 404, 405, 408, 413, 415, 416, 426}
MIXED, STATEMENTS = max(100, ATTEMPTS), max(6, ATTEMPTS // 20)
"""Numbers of requests with several odd parts, and of statements that are sent right and spoiled."""


def send(port: int, request: bytes, method: str = "GET") -> Reply | None:
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
        return Reply(response.status, {k.lower(): v for k, v in response.getheaders()}, body)


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
        own = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        for name, value in own.items():
            if self.body and not any(line.startswith(name) for line in self.headers):
                lines.append(f"{name}: {value}")
        return encoded("\r\n".join([*lines, "Connection: close", "", ""])) + body


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
    """Return a request of which several parts may be odd: of the lists, or of any characters."""
    odd = "".join(random.choices(requests.ALPHABET, k=random.randrange(1, 60)))
    paths = ("/", "/api/v2/games", "/api/v2/games/2x2k2/positions/", "/api/v2/games/2x2k2/sql")
    ours = [path + end for path in paths for end in (odd, quote(odd), "")]
    headers = [name + odd for name in ("Origin: http://", "Sec-Fetch-Site: ", "X-Odd: ")]

    def part(ordinary: str, *odd: Sequence[str]) -> str:
        return random.choice(random.choice(odd)) if random.random() < 0.3 else ordinary

    return Request(
        part("GET", requests.METHODS),
        part("/api/v2/games/2x2k2/positions/o...", requests.PATHS, ours),
        part("127.0.0.1", requests.HOSTS),
        tuple(random.choices((*requests.HEADERS, *headers), k=random.randrange(4))),
        part("", requests.BODIES, [odd]),
    )


def statement(random: Random) -> str:
    """Return a statement that reads, over tables that there are."""
    columns = ["count(*)", "max(position)", "sum(position) / 0", "list(distinct position)[1:3]",
               "'é〇' || min(position)", "avg(position)::varchar", "null"]  # fmt: skip
    table = random.choice(["positions", "moves", "ai_moves", "tree_bfs", "tree_dfs"])
    condition = random.choice(["true", "position % 7 = 1", "position in (1, 2)", "not false"])
    end = random.choice(["", ";", " limit 3", " -- end", "\n"])
    return f"select {', '.join(random.sample(columns, 2))} from {table} where {condition}{end}"  # noqa: S608


def spoiled(text: str, random: Random) -> str:
    """Return a text with one of its characters left out, doubled or replaced."""
    at = random.randrange(len(text))
    new = random.choice(["", 2 * text[at], random.choice(requests.ALPHABET)])
    return text[:at] + new + text[at + 1 :]


def answer(port: int, data: Path, seen: set[int], request: Request) -> str:
    """Ask; return what is wrong with the answer. Raises Refused when there is a sentence."""
    found = send(port, request.to_bytes(), request.method)
    if found is None:
        return "the connection was closed"
    status, headers, body = found
    seen.add(status)
    wrong = [f"status {status}"] * (status not in STATUSES)
    wrong += [
        f"no {name.decode()}"
        for name, value in HEADERS
        if headers.get(name.decode()) != value.decode()
    ]
    wrong += ["it leads elsewhere"] * (not is_local(urlsplit(headers.get("location", HERE)).netloc))
    if headers.get("content-encoding") == "gzip":
        body = gzip.decompress(body)
    document = json.loads(body) if body and headers["content-type"] == "application/json" else {}
    if request.method != "HEAD" and status >= 400:
        wrong += ["no sentence"] * (
            list(document) != ["error"] or not document["error"].isprintable()
        )
    wrong += [
        f"it reveals {each}" for each in (data, CHECKOUT, "root:x:") if str(each).encode() in body
    ]
    if wrong:
        return f"{wrong} {body[:200]!r}"
    if status >= 400:
        raise Refused(body.decode() or f"status {status}")
    return ""


def test_hostile_requests_get_one_right_answer_each(shared: Shared) -> None:
    """A statement is run in a process of its own: right ones are answered, spoiled ones too."""
    data = build_smallest(shared)
    random = Random(0)
    statements = [statement(random) for _ in range(STATEMENTS)]
    to_sql = partial(Request, "POST", "/api/v2/games/2x2k2/sql")
    bodies = {
        "right SQL": [json.dumps({"sql": sql}) for sql in statements],
        "spoiled SQL": [json.dumps({"sql": spoiled(sql, random)}) for sql in statements],
        "spoiled JSON": [spoiled(json.dumps({"sql": sql}), random) for sql in statements],
    }
    kinds = {f"one odd {kind}": some(odd) for kind, odd in KINDS.items()}
    kinds |= {kind: [to_sql(body=each) for each in odd] for kind, odd in bodies.items()}
    kinds["several odd parts"] = [mixed(random) for _ in range(MIXED)]
    seen = {kind: set[int]() for kind in kinds}
    with open_app(DataSet(data, Game(SMALLEST))) as app, serving_app(app) as port:
        right = send(port, KNOWN)
        assert right is not None
        assert json.loads(right.body)["score"] == 1
        for kind, odd in kinds.items():
            tally = Tally(f"HTTP, {kind}")
            for request in odd:
                ask = partial(answer, port, data, seen[kind], request)
                tally.add(str(request)[:300], ask, "")
                assert send(port, KNOWN) == right
            tally.report()
    assert seen["several odd parts"] >= {200, 400, 403, 404, 405}
    assert (seen["right SQL"], seen["spoiled SQL"]) == ({200}, {200, 400})
    assert {400} <= seen["spoiled JSON"] <= {200, 400}
