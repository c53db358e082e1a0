"""Requests to the server in this process."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple
from urllib.parse import unquote

import anyio
from starlette.types import ASGIApp, Message


class Reply(NamedTuple):
    """What the server sends back."""

    status: int
    headers: dict[str, str]
    body: bytes


def ask_app(
    app: ASGIApp, path: str, body: object = None, method: str | None = None, **headers: str
) -> Reply:
    """Send one request with an optional JSON body; the client then waits for the whole answer."""
    sent: list[Message] = []
    waiting = [{"type": "http.request", "body": json.dumps(body).encode() if body else b""}]

    async def receive() -> Message:
        if waiting:
            return waiting.pop()
        await anyio.sleep_forever()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    told = {"host": "127.0.0.1", "content-type": "application/json"} | {
        name.replace("_", "-").lower(): value for name, value in headers.items()
    }
    scope = {
        "type": "http", "method": method or ("POST" if body else "GET"), "path": unquote(path),
        "scheme": "http", "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in told.items()],
    }  # fmt: skip
    with ThreadPoolExecutor(1) as elsewhere:  # a browser's loop may run in this thread
        elsewhere.submit(anyio.run, app, scope, receive, send).result()
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Reply(sent[0]["status"], found, b"".join(m.get("body", b"") for m in sent[1:]))
